"""Cells of random programs: functions, and what leads from one to the next.

Names end with the number of the cell. Lines are those of a function's body; each calls
one function of the cell with an argument that is a size. Functions come after those that
they call, but for recursion.
"""

import random

# What leads to a function F with the argument A, in one expression statement.
THROUGH = [
    "{F}({A});",
    "{F}({A});",
    "{F}({A});",
    "{{ Call *volatile P = {F}; P({A}); }}",
    "{{ Call *volatile P = {F}; P({A}); }}",
    "{{ static Call *volatile P[] = {{{F}, {G}}}; P[0]({A}); }}",
    "{{ static Call *volatile P[] = {{{F}, {G}}}; for (Call *volatile &Each : P) Each({A}); }}",
    "inPointer({F}, {A});",
    "{{ void (*volatile In)(Call *, unsigned) = inPointer; In({F}, {A}); }}",
    "nativeCall({F}, {A});",
    "nativeJump({F}, {A});",
    "nativeContext({F}, {A});",
    "libraryCall({F}, {A});",
    "libraryJump({F}, {A});",
    "libraryContext({F}, {A});",
    "{{ void (*volatile In)(Call *, unsigned) = {N}; In({F}, {A}); }}",
    "{{ void (*volatile In)(Call *, unsigned) = {N}; In({F}, {A}); }}",
    "{{ static void (*volatile In[])(Call *, unsigned) = {{{N}, inPointer}}; "
    "for (auto *volatile &Each : In) Each({F}, {A}); }}",
    "inContext({F}, {A});",
    "inThread({F}, {A});",
    "inSort({F}, {A});",
    "inSignal({F}, {A});",
    "inOnce({F}, {A});",
    "{{ std::function<void(unsigned)> P = {F}; P({A}); }}",
    "{{ auto P = [](unsigned M) {{ {F}(M); }}; P({A}); }}",
    "{{ Call *volatile P = [](unsigned M) {{ {F}(M); }}; P({A}); }}",
    "{{ Virtual_{C} *volatile P = &Virtual_{F}; P->run({A}); }}",
    "{{ Virtual_{C} *volatile P[] = {{&Virtual_{F}, &Virtual_{G}}}; for (auto *Each : P) Each->run({A}); }}",
    "try {{ {F}({A}); throwInt(); }} catch (int) {{ {G}({A}); }}",
    "try {{ AtEnd E{{[&] {{ {F}({A}); }}}}; throwInt(); }} catch (int) {{ note(1); }}",
    "{{ AtEnd E{{[&] {{ {F}({A}); }}}}; note(2); }}",
    "if (Depth_{C} < 2) {{ ++Depth_{C}; {SELF}(n); --Depth_{C}; }} else {{ {F}({A}); }}",
    "for (unsigned I = 0; I != 2; ++I) {F}({A} + I * 8);",
    "{{ jmp_buf B; if (!setjmp(B)) {{ {F}({A}); longjmp(B, 1); }} {G}({A}); }}",
    "{{ void (Member_{C}::*volatile P)(Call *, unsigned) = &Member_{C}::call; (Member_{C}().*P)({F}, {A}); }}",
    "Stored_{C} = {F};",
    "if (Call *F = Stored_{C}) F({A});",
    "{L}Store({F}); {L}Fire({A});",
    "{L}Store({F});",
    "{L}Fire({A});",
]

NATIVE = ["nativeCall", "nativeJump", "nativeContext", "libraryCall", "libraryJump", "libraryContext"]
ATTRIBUTES = ["__attribute__((weak)) ", "__attribute__((flatten)) ", "__attribute__((cold)) "]

# The same with a coroutine S.
OF_COROUTINES = [
    "{{ Step S = {S}({A}); S.run(); }}",
    "{{ Step S = {S}({A}); S.resume(); S.resume(); S.resume(); }}",
    "{{ Step S = {S}({A}); resumeElsewhere(S); S.resume(); }}",
    "{{ Step S = {S}({A}); runElsewhere(S); }}",
    "{{ Step S = {S}({A}); S.resume(); }}",
    "{{ auto L = [](unsigned M) -> Step {{ {F}(M); co_await {S}(M); {F}(M + 8); }}; Step S = L({A}); S.run(); }}",
    "{{ Step S = started({S}({A})); S.run(); }}",
    "{PENDING} = {S}({A});{END}",
    "{PENDING} = started({S}({A}));{END}",
    "{PENDING}.resume();{END}",
    "{PENDING}.resume();{END}",
    "{BUSY}resumeElsewhere(Pending_{C});{END}",
    "{PENDING} = Step();{END}",
]
# A coroutine that runs may neither be resumed nor destroyed.
BUSY = "if (!Busy_{C}) {{ Busy_{C} = true; "
OF_COROUTINES = [l.replace("{PENDING}", BUSY + "Pending_{C}").replace("{BUSY}", BUSY)
                 .replace("{END}", " Busy_{C} = false; }}") for l in OF_COROUTINES]

ALLOCATIONS = [
    "malloc({A})",
    "malloc({A})",
    "new char[{A}]",
    "::operator new({A})",
    "calloc({A}, 1)",
    "realloc(nullptr, {A})",
    "aligned_alloc(16, ({A} + 15) / 16 * 16)",
    "Allocate_{C}[0]({A})",
    "Allocate_{C}[1]({A})",
    "Allocate_{C}[2]({A})",
]


class Function:
    def __init__(self, name, file, lines, head="void {}(unsigned n)"):
        self.name, self.file, self.lines, self.head = name, file, lines, head
        # static: called in its own file only. inline: in the header.
        self.static = self.inline = self.noinline = False
        self.attribute = ""
        self.coroutine = False

    def declaration(self):
        linkage = "static " if self.static else "" if self.coroutine else 'extern "C" '
        return linkage + self.head.format(self.name)

    def text(self):
        noinline = "__attribute__((noinline)) " if self.noinline else ""
        inline = "inline " if self.inline else ""
        static = "static " if self.static else ""
        return (f"{self.attribute}{noinline}{inline}{static}{self.head.format(self.name)} {{\n" +
                "".join(f"  {l}\n" for l in self.lines) + "}\n")


class Cell:
    def __init__(self, number, seed):
        self.number, self.seed = number, seed
        self.dice = random.Random(seed)
        self.functions = []
        self.weak = []  # texts of weak definitions that another one overrides, by file
        self.aliases = []
        self.names = 0
        self.hot = self.dice.choice([0.2, 0.5, 0.8])
        makers = [self.maker() for _ in range(self.dice.randint(1, 3))]
        callees = list(makers)
        coroutines = []
        for _ in range(self.dice.randint(1, 3)):
            fresh = []
            for _ in range(self.dice.randint(1, 3)):
                kind = self.dice.random()
                if kind < 0.2:
                    coroutines.append(self.coroutine(callees, coroutines))
                elif kind < 0.3:
                    fresh += self.twins(callees)
                elif kind < 0.4:
                    fresh.append(self.overridden(callees))
                else:
                    fresh.append(self.caller(callees, coroutines))
            callees += fresh
        entry = self.add("run", 0, [f"Calls_{self.number} = 0;"])
        # What is hot and what is cold parts here, above all that both go through.
        shared = callees[-3:] if self.dice.random() < 0.7 else callees
        for _ in range(self.dice.randint(3, 8)):
            entry.lines.append(self.line(entry, shared, coroutines, tagged=True))
        self.entry = entry

    def pick(self, functions, file):
        """One of FUNCTIONS that may be called from FILE; else a maker."""
        return self.dice.choice([f for f in functions if not f.static or f.file == file] or self.functions[:1])

    def add(self, kind, file, lines, **more):
        self.names += 1
        self.functions.append(Function(f"{kind}{self.names}_{self.number}", file, lines, **more))
        return self.functions[-1]

    def size(self, step=8):
        return f"n + {self.dice.randrange(4) * step}"

    def maker(self):
        lines = []
        for _ in range(self.dice.randint(1, 2)):
            size = self.size(16)
            allocation = self.dice.choice(ALLOCATIONS).format(A=size, C=self.number)
            lines.append(f"keep({allocation}, {size});")
        f = self.add("make", 1, lines)
        f.noinline = self.dice.random() < 0.7
        return f

    def line(self, caller, callees, coroutines, tagged=False):
        f, g = self.pick(callees, caller.file), self.pick(callees, caller.file)
        near = [s for s in coroutines if not s.static or s.file == caller.file]
        if near and self.dice.random() < 0.3:
            text = self.dice.choice(OF_COROUTINES)
            s = self.dice.choice(near).name
        else:
            text, s = self.dice.choice(THROUGH), ""
        line = text.format(F=f.name, G=g.name, A=self.size(), C=self.number, S=s, N=self.dice.choice(NATIVE),
                           L=self.dice.choice(["native", "library"]),
                           SELF=caller.name)
        if tagged or self.dice.random() < 0.15:
            tag = self.number * 4 + (1 if self.dice.random() < self.hot else 2)
            line = f"{{ int Was = Tag; Tag = {tag}; {line} Tag = Was; }}"
        return line

    def caller(self, callees, coroutines):
        f = self.add("pass", self.dice.randint(0, 1), [])
        for _ in range(self.dice.choice([1, 1, 2, 3])):
            f.lines.append(self.line(f, callees, coroutines))
        end = self.dice.random()
        last = self.pick(callees, f.file).name
        if end < 0.2:
            f.lines.append(f"[[clang::musttail]] return {last}(n);")
        elif end < 0.4:
            f.lines = [f"return {last}({self.size()});"]
        self.bound(f)
        self.link(f, callees)
        return f

    def bound(self, f):
        """Calls multiply from layer to layer."""
        if len(f.lines) > 1 or any(part in l for l in f.lines
                                   for part in ("for (", f"{f.name}(n)", "= Stored_", "Fire(", "Pending_")):
            f.lines.insert(0, f"if (++Calls_{self.number} > 60) return;")

    def link(self, f, callees):
        f.noinline = self.dice.random() < 0.6
        chance = self.dice.random()
        if chance < 0.3:
            f.static = True
        elif chance < 0.4 and not any(g.static and g.name in l or "Virtual" in l
                                      for g in self.functions for l in f.lines):
            f.inline = True
        elif chance < 0.5:
            f.attribute = self.dice.choice(ATTRIBUTES)
        elif chance < 0.6:
            self.names += 1
            kind = self.dice.choice(["alias", "alias", "ifunc"])
            alias = Function(f"{kind}{self.names}_{self.number}", f.file, [])
            self.aliases.append((alias, f))
            callees.append(alias)

    def coroutine(self, callees, coroutines):
        s = self.add("step", self.dice.randint(0, 1), [], head="Step {}(unsigned n)")
        s.coroutine = True
        near = [c for c in coroutines if not c.static or c.file == s.file]
        if self.dice.random() < 0.3:
            f = self.pick(callees, s.file).name
            s.lines.append(f"AtEnd E{{[n] {{ {f}({self.size()}); }}}};")
        for _ in range(self.dice.choice([1, 1, 2])):
            s.lines.append(self.line(s, callees, []).replace(f"{s.name}(n);", "note(3);"))
            chance = self.dice.random()
            if chance < 0.5:
                s.lines.append("co_await std::suspend_always();")
            elif chance < 0.7 and near:
                s.lines.append(f"co_await {self.dice.choice(near).name}({self.size()});")
        if self.dice.random() < 0.5:
            s.lines.append(self.line(s, callees, []).replace(f"{s.name}(n);", "note(3);"))
        s.lines.append("co_return;")
        s.static = self.dice.random() < 0.3
        s.noinline = self.dice.random() < 0.3
        return s

    def twins(self, callees):
        """Functions with one body, which a linker may fold."""
        file = self.dice.randint(0, 1)
        f = self.pick(callees, file)
        lines = [f"{f.name}({self.size()});", "note(4);"]
        both = [self.add("twin", self.dice.randint(0, 1) if not f.static else file, list(lines)) for _ in range(2)]
        for t in both:
            t.noinline = True
        return both

    def overridden(self, callees):
        f = self.add("own", self.dice.randint(0, 1), [])
        f.noinline = True
        f.lines.append(self.line(f, callees, []))
        self.bound(f)
        weak = Function(f.name, 1 - f.file, [f"{self.dice.choice([c for c in callees if not c.static]).name}(n);"])
        weak.attribute = "__attribute__((weak)) "
        self.weak.append(weak)
        return f

    def header(self):
        c = self.number
        lines = [f"extern unsigned Depth_{c}, Calls_{c};", f"extern Step Pending_{c};", f"extern bool Busy_{c};",
                 f"extern void *(*volatile Allocate_{c}[3])(size_t);",
                 f"struct Virtual_{c} {{ virtual void run(unsigned n) = 0; }};",
                 f"extern Call *volatile Stored_{c};",
                 f"struct Member_{c} {{ void call(Call *F, unsigned N) {{ F(N); }} }};"]
        lines += [f.declaration() + ";" for f in self.functions if not f.static]
        lines += [f'extern "C" void {a.name}(unsigned n);' for a, _ in self.aliases]
        lines += [f.text() for f in self.functions if f.inline]
        return "\n".join(lines)

    def text(self, file):
        c = self.number
        here = [f for f in self.functions if f.file == file and not f.inline]
        lines = [f.declaration() + ";" for f in here if f.static]
        for a, f in self.aliases:
            if f.file == file:
                of = f.name
                if a.name.startswith("ifunc"):
                    of = f"find_{a.name}"
                    lines.append(f'extern "C" Call *{of}() {{ return {f.name}; }}')
                lines.append(f'void {a.name}(unsigned n) __attribute__(({a.name[:5]}("{of}")));')
        # A class of its own for each callee of virtual calls.
        called = "\n".join(l for f in self.functions if f.file == file or f.inline for l in f.lines)
        names = [f.name for f in self.functions if not f.coroutine] + [a.name for a, _ in self.aliases]
        for name in names:
            if f"&Virtual_{name}" in called:
                lines.append(f"namespace {{ struct Of_{name} : Virtual_{c} {{ void run(unsigned n) override "
                             f"{{ {name}(n); }} }} Virtual_{name}; }}")
        if file == 0:
            lines += [f"unsigned Depth_{c}, Calls_{c};", f"Step Pending_{c};", f"bool Busy_{c};",
                      f"Call *volatile Stored_{c};",
                      f"static void *own_{c}(size_t N) {{ return malloc(N); }}",
                      f"void *(*volatile Allocate_{c}[3])(size_t) = {{malloc, own_{c}, "
                      f"{['libraryAllocate', 'nativeAllocate'][self.seed % 2]}}};"]
        lines += [f.text() for f in here]
        lines += [w.text() for w in self.weak if w.file == file]
        return "\n".join(lines)

