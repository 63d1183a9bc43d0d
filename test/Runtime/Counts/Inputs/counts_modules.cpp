// The second module of counts-modules.cpp.

#include "counts_modules.h"
#include <cstdlib>
#include <stdexcept>

void fill(int *To, long N, int Value) {
  for (long I = 0; I < N; ++I)
    To[I] = Value;
}

void copy(int *To, const int *From, long N) {
  for (long I = 0; I < N; ++I)
    To[I] = From[I];
}

void shift(int *Values, long N) {
  for (long I = 1; I < N; ++I)
    Values[I - 1] = Values[I];
}

long sum(const int *Values, long N) {
  long Sum = 0;
  for (long I = 0; I < N; ++I)
    Sum += Values[I];
  return Sum;
}

void reset(Record &R, long Value) {
  R.Fields[0] = R.Fields[1] = R.Fields[2] = R.Fields[3] = Value;
  for (long I = 4; I < 20; ++I)
    R.Fields[I] = Value;
  for (char &C : R.Name)
    C = static_cast<char>(Value);
}

bool equal(const Record &A, const Record &B) {
  for (int I = 0; I < 20; ++I)
    if (A.Fields[I] != B.Fields[I])
      return false;
  return A.Name[0] == B.Name[0] && A.Name[1] == B.Name[1] &&
         A.Name[2] == B.Name[2] && A.Name[3] == B.Name[3];
}

Node *push(Node *Made, Node *List, long Key) {
  Made->Next = List;
  Made->Key = Key;
  return Made;
}

Node *pop(Node *List) {
  Node *Next = List->Next;
  free(List);
  return Next;
}

const Node *find(const Node *List, long Key) {
  for (; List; List = List->Next)
    if (List->Key == Key)
      return List;
  return nullptr;
}

long length(const Node *List) { return List ? 1 + length(List->Next) : 0; }

namespace {
class Line final : public Shape {
public:
  using Shape::Shape;
  long area() const override { return 0; }
};
} // namespace

Shape *makeShape(int Kind) { return Kind == 0 ? new Shape(3) : new Line(5); }

int checked(const int *Values, long I, long N) {
  if (I >= N)
    throw std::out_of_range("checked");
  return Values[I];
}
