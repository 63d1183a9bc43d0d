// What counts-modules.cpp has of its second module.

struct Record {
  long Fields[20];
  char Name[24];
};

struct Node {
  Node *Next;
  long Key;
};

class Shape {
public:
  explicit Shape(long Side) : Side(Side) {}
  virtual ~Shape() = default;
  virtual long area() const { return Side * Side; }
  long side() const { return Side; }

protected:
  long Side;
};

void fill(int *To, long N, int Value);
void copy(int *To, const int *From, long N);
void shift(int *Values, long N);
long sum(const int *Values, long N);
void reset(Record &R, long Value);
bool equal(const Record &A, const Record &B);
Node *push(Node *Made, Node *List, long Key);
Node *pop(Node *List);
const Node *find(const Node *List, long Key);
long length(const Node *List);
Shape *makeShape(int Kind);
int checked(const int *Values, long I, long N);
