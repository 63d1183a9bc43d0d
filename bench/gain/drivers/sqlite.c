/*===- bench/gain/drivers/sqlite.c - SQLite, prepared statements *- C -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: sqlite TENANTS ROUNDS
// A database in memory, with three tables for each tenant, and statements that
// are prepared once. In a round each tenant asks for some of its orders by one
// statement, and every fourth tenant replaces one.
//
//===----------------------------------------------------------------------===*/

#include "phase.h"

#include "sqlite3.h"

enum { Orders = 40, Customers = 10, Statements = 5 };

static const char *const Schema =
    "create table orders_%1$d(id integer primary key, customer integer "
    "references customers_%1$d(id), state text not null default 'open' check"
    "(state in ('open', 'paid', 'sent')), total real not null check(total >= "
    "0), note text, address text, changed text default '2026-01-01');"
    "create index by_customer_%1$d on orders_%1$d(customer, state);"
    "create table customers_%1$d(id integer primary key, name text not null, "
    "street text, city text, country text default 'garnet', comments text);"
    "create table log_%1$d(at text, what text, of integer);"
    "create trigger logged_%1$d after delete on orders_%1$d begin insert into "
    "log_%1$d values('now', 'deleted', old.id); end;"
    "create view open_%1$d as select o.id, o.total, c.name, c.city from "
    "orders_%1$d o join customers_%1$d c on c.id = o.customer where o.state = "
    "'open';";

static const char *const Texts[Statements] = {
    /* The first is that of each round. */
    "select sum(total), count(*) from orders_%1$d where customer = ?1 and "
    "state = 'open'",
    "insert or replace into orders_%1$d(id, customer, state, total, note, "
    "address) values(?1, ?2, ?3, ?4, ?5, ?6)",
    "insert into customers_%1$d(id, name, street, city, comments) values(?1, "
    "?2, ?3, 'harbor', ?4)",
    "select o.id, o.note, c.name, c.street, c.comments from orders_%1$d o join "
    "customers_%1$d c on c.id = o.customer where o.changed > ?1 order by "
    "o.total desc limit 20",
    "update customers_%1$d set street = ?2, comments = ?3 where id = ?1",
};

static sqlite3 *Database;

static void check(int Result, int Expected) {
  if (Result == Expected)
    return;
  fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(Database));
  exit(1);
}

static unsigned draw(unsigned Below) {
  static unsigned Seed = 1;
  Seed = Seed * 1103515245 + 12345;
  return (Seed >> 8) % Below;
}

static void order(sqlite3_stmt *Statement, int Id) {
  static const char *const States[] = {"open", "paid", "sent"};
  char Note[128], Address[96];
  snprintf(Note, sizeof(Note), "order %d, to be left at door %u, by %u", Id,
           draw(1000), draw(100000));
  snprintf(Address, sizeof(Address), "%u basalt street, %u island", draw(500),
           draw(90000));
  sqlite3_bind_int(Statement, 1, Id);
  sqlite3_bind_int(Statement, 2, (int)draw(Customers));
  sqlite3_bind_text(Statement, 3, States[draw(3)], -1, SQLITE_STATIC);
  sqlite3_bind_double(Statement, 4, draw(100000) / 100.0);
  sqlite3_bind_text(Statement, 5, Note, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text(Statement, 6, Address, -1, SQLITE_TRANSIENT);
  check(sqlite3_step(Statement), SQLITE_DONE);
  check(sqlite3_reset(Statement), SQLITE_OK);
}

static void customer(sqlite3_stmt *Statement, int Id) {
  char Name[64], Comments[96];
  snprintf(Name, sizeof(Name), "customer number %u", draw(100000));
  snprintf(Comments, sizeof(Comments), "asked %u times for cedar", draw(50));
  sqlite3_bind_int(Statement, 1, Id);
  sqlite3_bind_text(Statement, 2, Name, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text(Statement, 3, Name + 9, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text(Statement, 4, Comments, -1, SQLITE_TRANSIENT);
  check(sqlite3_step(Statement), SQLITE_DONE);
  check(sqlite3_reset(Statement), SQLITE_OK);
}

/* A change of the schema makes all statements stale, so it comes first. */
static void create(int Tenant) {
  char Text[2048];
  snprintf(Text, sizeof(Text), Schema, Tenant);
  check(sqlite3_exec(Database, Text, NULL, NULL, NULL), SQLITE_OK);
}

static void load(sqlite3_stmt **Prepared, int Tenant) {
  char Text[512];
  for (int I = 0; I < Statements; ++I) {
    snprintf(Text, sizeof(Text), Texts[I], Tenant);
    check(sqlite3_prepare_v3(Database, Text, -1, SQLITE_PREPARE_PERSISTENT,
                             &Prepared[I], NULL),
          SQLITE_OK);
  }
  for (int I = 0; I < Customers; ++I)
    customer(Prepared[2], I);
  for (int I = 0; I < Orders; ++I)
    order(Prepared[1], I);
}

static unsigned long ask(sqlite3_stmt *Statement) {
  unsigned long Sum = 0;
  sqlite3_bind_int(Statement, 1, (int)draw(Customers));
  while (sqlite3_step(Statement) == SQLITE_ROW)
    Sum += (unsigned long)sqlite3_column_double(Statement, 0) * 100 +
           (unsigned long)sqlite3_column_int(Statement, 1);
  check(sqlite3_reset(Statement), SQLITE_OK);
  return Sum;
}

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount != 3) {
    fprintf(stderr, "usage: sqlite TENANTS ROUNDS\n");
    return 1;
  }
  int Tenants = atoi(Arguments[1]), Rounds = atoi(Arguments[2]);
  sqlite3_stmt **Prepared =
      malloc((size_t)Tenants * Statements * sizeof(*Prepared));
  check(sqlite3_open(":memory:", &Database), SQLITE_OK);
  for (int I = 0; I < Tenants; ++I)
    create(I);
  for (int I = 0; I < Tenants; ++I)
    load(Prepared + (size_t)I * Statements, I);

  phaseBegin();
  unsigned long Sum = 0;
  for (int Round = 0; Round < Rounds; ++Round)
    for (int I = 0; I < Tenants; ++I) {
      sqlite3_stmt **Own = Prepared + (size_t)I * Statements;
      Sum += ask(Own[0]);
      if ((I + Round) % 4 == 0)
        order(Own[1], (int)draw(Orders));
    }
  phaseEnd(Sum);
  return 0;
}
