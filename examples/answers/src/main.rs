// Keeps the answers of a service in memory, as values of the crate json, and answers
// queries. See docs/rust.md.
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each answer has a head and a body. Both are parsed by the same functions of the crate.
// Queries read heads, and no body ever.

use json::JsonValue;

struct Answer {
    head: JsonValue,
    body: JsonValue,
}

fn keep_head(number: usize) -> JsonValue {
    let text = format!(r#"{{"status": {}, "kind": "a kind of answer that has number {}"}}"#, 200 + number % 5, number % 7);
    json::parse(&text).unwrap()
}

fn keep_body(number: usize) -> JsonValue {
    let text = format!(
        r#"{{"trace": ["{number} was asked for in the morning", "and was sent in the evening", {number}], "rest": null}}"#
    );
    json::parse(&text).unwrap()
}

fn query(answers: &[Answer], kind: usize) -> usize {
    let wanted = format!("a kind of answer that has number {kind}");
    answers.iter().filter(|answer| answer.head["status"] == 200 && answer.head["kind"] == *wanted).count()
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|number| number.parse().unwrap());
    let count = arguments.next().unwrap_or(30_000);
    let rounds = arguments.next().unwrap_or(1_000);
    let answers: Vec<Answer> = (0..count).map(|number| Answer { head: keep_head(number), body: keep_body(number) }).collect();
    let mut found = 0;
    for round in 0..rounds {
        found += query(&answers, round % 7);
    }
    println!("{found} found; the last says {}", answers.last().unwrap().body["trace"][0]);
}
