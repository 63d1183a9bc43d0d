// Virtual functions, of which LLVM's summaries note more under type metadata; of a type
// of the module's own, too.
struct Base {
  virtual int get();
  virtual ~Base() {}
};
namespace {
struct Local : Base {
  int get() override { return 1; }
};
} // namespace
int Base::get() { return 0; }
Base *volatile Any = new Local;
int get() { return Any->get(); }
