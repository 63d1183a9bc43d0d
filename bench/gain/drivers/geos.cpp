//===- bench/gain/drivers/geos.cpp - A tree of polygons  ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: geos POLYGONS QUERIES
// Builds a tree of polygons, then counts those whose boxes meet small ones.
//
//===----------------------------------------------------------------------===//

#include "phase.h"

#include <geos/geom/Coordinate.h>
#include <geos/geom/CoordinateArraySequence.h>
#include <geos/geom/Envelope.h>
#include <geos/geom/GeometryFactory.h>
#include <geos/geom/LinearRing.h>
#include <geos/geom/Polygon.h>
#include <geos/index/ItemVisitor.h>
#include <geos/index/strtree/STRtree.h>

#include <memory>
#include <random>
#include <vector>

using namespace geos::geom;

namespace {
struct Meeting : geos::index::ItemVisitor {
  explicit Meeting(const Envelope &Box) : Box(Box) {}
  void visitItem(void *Item) override {
    const auto *Shape = static_cast<const Polygon *>(Item);
    if (Shape->getEnvelopeInternal()->intersects(Box))
      ++Count;
  }
  const Envelope &Box;
  unsigned long Count = 0;
};
} // namespace

static std::unique_ptr<Polygon> makePolygon(const GeometryFactory &Factory,
                                            std::mt19937 &Draw) {
  std::uniform_real_distribution<double> Place(0, 1000), Size(0.1, 1);
  double X = Place(Draw), Y = Place(Draw), Width = Size(Draw);
  unsigned Corners = 4 + Draw() % 6;
  auto Ring = std::make_unique<CoordinateArraySequence>();
  for (unsigned I = 0; I != Corners; ++I)
    Ring->add(Coordinate(X + Width * I / Corners, Y + (I % 2) * Width));
  Ring->add(Ring->getAt(0));
  return Factory.createPolygon(Factory.createLinearRing(std::move(Ring)));
}

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount != 3) {
    std::fprintf(stderr, "usage: geos POLYGONS QUERIES\n");
    return 1;
  }
  unsigned Amount = std::atoi(Arguments[1]), Queries = std::atoi(Arguments[2]);
  GeometryFactory::Ptr Factory = GeometryFactory::create();
  std::mt19937 Draw(1);
  std::vector<std::unique_ptr<Polygon>> Polygons;
  geos::index::strtree::STRtree Tree;
  for (unsigned I = 0; I != Amount; ++I) {
    Polygons.push_back(makePolygon(*Factory, Draw));
    Tree.insert(Polygons.back()->getEnvelopeInternal(), Polygons.back().get());
  }
  std::uniform_real_distribution<double> Place(0, 1000);
  Envelope First(0, 1, 0, 1);
  Meeting Built(First); // The first query builds the tree.
  Tree.query(&First, Built);
  unsigned long Sum = 0;
  phaseBegin();
  for (unsigned I = 0; I != Queries; ++I) {
    double X = Place(Draw), Y = Place(Draw);
    Envelope Box(X, X + 3, Y, Y + 3);
    Meeting Found(Box);
    Tree.query(&Box, Found);
    Sum = Sum * 31 + Found.Count;
  }
  phaseEnd(Sum);
  return 0;
}
