// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps records as objects, and sums one field of those of a kind. In each round
// some records are replaced by others.
function run(amount, rounds) {
  var seed = 1;
  function draw(below) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor(seed / 256) % below;
  }
  var kinds = ["tree", "stone", "river", "hill"];
  function record(number) {
    var note = "note " + draw(1000) + " of " + number;
    return {
      kind: kinds[draw(4)],
      height: draw(1000),
      name: "record number " + number,
      note: note + ", " + note + ", " + note,
      tags: ["tag" + draw(50), "tag" + draw(50)],
      place: { x: draw(1000), y: draw(1000), map: "map " + draw(5000) }
    };
  }
  var records = [];
  for (var number = 0; number < amount; ++number)
    records.push(record(number));

  begin();
  var sum = 0;
  for (var round = 0; round < rounds; ++round) {
    var kind = kinds[round % 4];
    for (var at = 0; at < amount; ++at) {
      var each = records[at];
      if (each.kind === kind)
        sum += each.height;
    }
    for (var change = 0; change < amount / 200; ++change)
      records[draw(amount)] = record(amount + change);
  }
  finish(sum);
}
