-- Part of the Thermocline project, under the Apache License v2.0 with LLVM
-- Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- Keeps records as tables, and sums one field of those of a kind.
local amount, rounds = ...
local seed = 1
local function draw(below)
  seed = (seed * 1103515245 + 12345) % 2147483648
  return (seed >> 8) % below
end

local kinds = { "tree", "stone", "river", "hill" }
local records = {}
for number = 1, amount do
  records[number] = {
    kind = kinds[draw(4) + 1],
    height = draw(1000),
    name = "record number " .. number,
    note = string.rep("note " .. draw(1000) .. " ", 4),
    tags = { "tag" .. draw(50), "tag" .. draw(50) },
    place = { x = draw(1000), y = draw(1000), map = "map " .. draw(5000) },
  }
end

begin()
local sum = 0
for round = 1, rounds do
  local kind = kinds[round % 4 + 1]
  for number = 1, amount do
    local record = records[number]
    if record.kind == kind then
      sum = sum + record.height
    end
  end
end
finish(sum)
