// Keeps a catalogue of books in memory, and answers queries. See docs/rust.md.
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Titles and blurbs come from one function, so they lie side by side. Queries read
// titles, and no blurb and no page ever.

struct Book {
    title: Box<str>,
    blurb: Box<str>,
    pages: Box<Pages>,
}

struct Pages {
    count: u32,
    rest: [u32; 11],
}

/// What the catalogue keeps of its input.
#[inline(never)]
fn keep(text: &str) -> Box<str> {
    text.into()
}

fn load(books: u32) -> Vec<Book> {
    let mut catalogue = Vec::new();
    for number in 0..books {
        let title = format!("Title of the book with number {number:08}");
        let blurb = format!("What the back of book {number:08} says");
        catalogue.push(Book {
            title: keep(&title),
            blurb: keep(&blurb),
            pages: Box::new(Pages { count: number % 900, rest: [number; 11] }),
        });
    }
    catalogue
}

/// How many titles have this digit at their end.
fn query(catalogue: &[Book], digit: u8) -> usize {
    catalogue.iter().filter(|book| book.title.as_bytes().last() == Some(&digit)).count()
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|number| number.parse().unwrap());
    let books = arguments.next().unwrap_or(100_000);
    let rounds = arguments.next().unwrap_or(1_000);
    let catalogue = load(books);
    let mut found = 0;
    for round in 0..rounds {
        found += query(&catalogue, b'0' + (round % 10) as u8);
    }
    let last = catalogue.last().unwrap();
    let pages = last.pages.count + last.pages.rest[0] % 2;
    println!("{found} found; the last has {pages} pages, {} says the back", last.blurb.len());
}
