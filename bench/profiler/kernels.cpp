//===- bench/profiler/kernels.cpp - What profiling costs ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// kernels NAME runs one kernel and prints what it computed. Each takes some
// tenths of a second, so that the start of a process counts for little.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

/// Numbers that look random and are the same on every run.
class Random {
public:
  explicit Random(unsigned Seed) : State(Seed) {}
  unsigned next() { return State = State * 1664525 + 1013904223; }

private:
  unsigned State;
};

//===-- Access to data ----------------------------------------------------===//

struct Node {
  Node *Next;
  long Values[3];
};

/// Follows a list in an order that memory does not have.
static long chase() {
  constexpr long Count = 20000;
  std::vector<Node *> Nodes;
  for (long I = 0; I < Count; ++I)
    Nodes.push_back(new Node{nullptr, {I}});
  for (long I = 0; I < Count; ++I)
    Nodes[I]->Next = Nodes[(I + 7919) % Count];
  long Sum = 0;
  const Node *N = Nodes[1];
  for (long I = 0; I < 100000000; ++I) {
    Sum += N->Values[0];
    N = N->Next;
  }
  for (Node *N : Nodes)
    delete N;
  return Sum;
}

static long hash() {
  std::unordered_map<int, int> Map;
  Random R(3);
  for (int I = 0; I < 100000000; ++I)
    Map[static_cast<int>(R.next() >> 8) % 30011]++;
  return static_cast<long>(Map.size());
}

static long sort() {
  std::vector<unsigned> Numbers(4000000);
  Random R(1);
  for (unsigned &N : Numbers)
    N = R.next();
  std::sort(Numbers.begin(), Numbers.end());
  return Numbers[5];
}

static long matrix() {
  constexpr int Size = 1200;
  std::vector<double> A(Size * Size, 1.5), B(Size * Size, 0.5), C(Size * Size);
  for (int I = 0; I < Size; ++I)
    for (int K = 0; K < Size; ++K)
      for (int J = 0; J < Size; ++J)
        C[I * Size + J] += A[I * Size + K] * B[K * Size + J];
  return static_cast<long>(C[7]);
}

/// Heat that spreads over a plate.
static long stencil() {
  constexpr int Size = 1000;
  std::vector<float> Old(Size * Size), New(Size * Size);
  Old[Size * Size / 2 + Size / 2] = 1e6f;
  for (int Step = 0; Step < 1000; ++Step) {
    for (int Y = 1; Y < Size - 1; ++Y)
      for (int X = 1; X < Size - 1; ++X) {
        int At = Y * Size + X;
        New[At] = 0.2f * (Old[At] + Old[At - 1] + Old[At + 1] + Old[At - Size] +
                          Old[At + Size]);
      }
    Old.swap(New);
  }
  return static_cast<long>(Old[Size * Size / 2 + Size / 2]);
}

//===-- Text --------------------------------------------------------------===//

static long strings() {
  std::map<std::string, int> Map;
  for (int I = 0; I < 2000000; ++I)
    Map["key-number-" + std::to_string(I % 100000 * 7 % 20011)]++;
  return static_cast<long>(Map.size());
}

/// Evaluates sums of products in parentheses, over a tree that it builds.
namespace parse {
struct Expression {
  char Operator = 0;
  long Value = 0;
  std::unique_ptr<Expression> Left, Right;
};

static std::unique_ptr<Expression> sum(const char *&At);

static std::unique_ptr<Expression> factor(const char *&At) {
  if (*At == '(') {
    auto Inner = sum(++At);
    ++At;
    return Inner;
  }
  auto Number = std::make_unique<Expression>();
  for (; isdigit(*At); ++At)
    Number->Value = (Number->Value * 10 + (*At - '0')) % 1000003;
  return Number;
}

static std::unique_ptr<Expression>
chain(const char *&At, char Operator,
      std::unique_ptr<Expression> (*Part)(const char *&)) {
  auto Result = Part(At);
  while (*At == Operator) {
    auto Node = std::make_unique<Expression>();
    Node->Operator = Operator;
    Node->Left = std::move(Result);
    Node->Right = Part(++At);
    Result = std::move(Node);
  }
  return Result;
}

static std::unique_ptr<Expression> product(const char *&At) {
  return chain(At, '*', factor);
}
static std::unique_ptr<Expression> sum(const char *&At) {
  return chain(At, '+', product);
}

static long value(const Expression &E) {
  if (!E.Operator)
    return E.Value;
  long L = value(*E.Left), R = value(*E.Right);
  return (E.Operator == '+' ? L + R : L * R) % 1000003;
}

static long run() {
  std::string Text = "1";
  Random R(7);
  while (Text.size() < 20000)
    Text = "(" + Text + (R.next() >> 31 ? "+" : "*") +
           std::to_string(R.next() >> 16) + ")" +
           (R.next() >> 31 ? "+3" : "*7*11");
  long Sum = 0;
  for (int Round = 0; Round < 1000; ++Round) {
    const char *At = Text.c_str();
    Sum += value(*sum(At));
  }
  return Sum;
}
} // namespace parse

//===-- Allocation --------------------------------------------------------===//

static long churnBy(long Count) {
  void *Blocks[64] = {};
  long Sum = 0;
  for (long I = 0; I < Count; ++I) {
    free(Blocks[I % 64]);
    Blocks[I % 64] = malloc(static_cast<size_t>(I % 300));
    Sum += Blocks[I % 64] != nullptr;
  }
  for (void *Block : Blocks)
    free(Block);
  return Sum;
}

static long churn() { return churnBy(20000000); }

/// The same number of calls, by four threads.
static long churn4() {
  long Sums[4];
  std::vector<std::thread> Threads;
  for (long &Sum : Sums)
    Threads.emplace_back([&Sum] { Sum = churnBy(5000000); });
  long All = 0;
  for (int I = 0; I < 4; ++I) {
    Threads[I].join();
    All += Sums[I];
  }
  return All;
}

/// Grows a binary search tree, looks things up in it, and takes it down.
namespace tree {
struct Tree {
  unsigned Key;
  Tree *Left = nullptr, *Right = nullptr;
  explicit Tree(unsigned Key) : Key(Key) {}
  ~Tree() {
    delete Left;
    delete Right;
  }
};

static Tree **find(Tree **At, unsigned Key) {
  while (*At && (*At)->Key != Key)
    At = Key < (*At)->Key ? &(*At)->Left : &(*At)->Right;
  return At;
}

static long run() {
  long Found = 0;
  for (unsigned Round = 0; Round < 8; ++Round) {
    Tree *Root = nullptr;
    Random R(Round);
    for (int I = 0; I < 50000; ++I) {
      unsigned Key = R.next() >> 8;
      Tree **Place = find(&Root, Key);
      if (!*Place)
        *Place = new Tree(Key);
    }
    for (int I = 0; I < 200000; ++I)
      Found += *find(&Root, R.next() >> 8) != nullptr;
    delete Root;
  }
  return Found;
}
} // namespace tree

/// Asks shapes of three kinds for their areas, and calls little functions in a
/// table: calls through pointers with next to nothing behind them.
namespace calls {
struct Shape {
  virtual ~Shape() = default;
  virtual long area() const = 0;
};

template <long Factor> struct Kind : Shape {
  explicit Kind(long Side) : Side(Side) {}
  long area() const override { return Factor * Side * Side; }
  long Side;
};

static long add(long A, long B) { return A + B; }
static long subtract(long A, long B) { return A - B; }
static long mix(long A, long B) { return A ^ B; }

static long run() {
  std::vector<std::unique_ptr<Shape>> Shapes;
  Random R(1);
  for (long I = 0; I < 1000; ++I)
    switch (R.next() >> 16 & 3) {
    case 0:
      Shapes.push_back(std::make_unique<Kind<1>>(I));
      break;
    case 1:
      Shapes.push_back(std::make_unique<Kind<3>>(I));
      break;
    default:
      Shapes.push_back(std::make_unique<Kind<4>>(I));
    }
  long (*volatile Functions[])(long, long) = {add, subtract, mix, add};
  long Sum = 0;
  for (int Round = 0; Round < 30000; ++Round)
    for (size_t I = 0; I < Shapes.size(); ++I)
      Sum = Functions[I % 4](Sum, Shapes[I]->area());
  return Sum;
}
} // namespace calls

int main(int argc, char **argv) {
  const struct {
    const char *Name;
    long (*Run)();
  } Kernels[] = {
      {"chase", chase},      {"hash", hash},       {"sort", sort},
      {"matrix", matrix},    {"stencil", stencil}, {"strings", strings},
      {"parse", parse::run}, {"churn", churn},     {"churn4", churn4},
      {"tree", tree::run},   {"calls", calls::run}};
  for (auto [Name, Run] : Kernels) {
    if (argc < 2 || argc > 3 || strcmp(argv[1], Name) != 0)
      continue;
    long Sum = 0;
    for (int Left = argc == 3 ? atoi(argv[2]) : 1; Left > 0; --Left)
      Sum += Run();
    printf("%ld\n", Sum);
    return 0;
  }
  fprintf(stderr, "usage: kernels NAME [TIMES], one of:");
  for (auto [Name, Run] : Kernels)
    fprintf(stderr, " %s", Name);
  fprintf(stderr, "\n");
  return 1;
}
