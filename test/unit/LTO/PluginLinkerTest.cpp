//===- unit/LTO/PluginLinkerTest.cpp - What linkers offer -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "plugin/Linker.h"
#include "plugin/LinkerArguments.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline::lto::plugin;

namespace {

using Names = std::vector<std::string>;

TEST(LinkerArguments, EverySpelling) {
  auto Parsed = LinkerArguments::parse(
      {"-wrap", "a", "--wrap=b", "--defsym", "c=d+0x10-e", "-defsym=f=.", "-u",
       "g", "--undefined=h", "-e", "i", "--entry=j", "-init=k", "-fini", "l",
       "--require-defined", "m", "-r"});
  EXPECT_EQ(Parsed.Wrapped, (Names{"a", "b"}));
  EXPECT_EQ(Parsed.Defined, (Names{"c", "f"}));
  EXPECT_EQ(Parsed.Referred,
            (Names{"d", "e", ".", "g", "h", "i", "j", "k", "l", "m"}));
  EXPECT_TRUE(Parsed.Relocatable);
}

TEST(LinkerArguments, OthersAreLeftAlone) {
  auto Parsed =
      LinkerArguments::parse({"wrap", "x", "--wrapper=x", "-rpath", "r",
                              "--no-undefined", "-export", "-e"});
  EXPECT_TRUE(Parsed.Wrapped.empty());
  EXPECT_TRUE(Parsed.Referred.empty());
  EXPECT_FALSE(Parsed.Relocatable);
}

// What a linker would do; one vector of it at a time.
std::string Said;
int RequestedAPI = -1;
const char *WrappedNames[] = {"work"};

ld_plugin_status registerClaimFile(ld_plugin_claim_file_handler) {
  return LDPS_OK;
}
ld_plugin_status registerAllRead(ld_plugin_all_symbols_read_handler) {
  return LDPS_OK;
}
ld_plugin_status addSymbols(void *, int, const ld_plugin_symbol *) {
  return LDPS_OK;
}
ld_plugin_status getSymbolsV2(const void *, int, ld_plugin_symbol *) {
  return LDPS_BAD_HANDLE;
}
ld_plugin_status getSymbolsV3(const void *, int, ld_plugin_symbol *) {
  return LDPS_NO_SYMS;
}
ld_plugin_status addInputFile(const char *) { return LDPS_ERR; }
ld_plugin_status getWrapSymbols(uint64_t *Count, const char ***List) {
  *Count = 1;
  *List = WrappedNames;
  return LDPS_OK;
}
ld_plugin_status sayNothingOfWrapped(uint64_t *, const char ***) {
  return LDPS_OK;
}
ld_plugin_status message(int Level, const char *, ...) {
  Said = "level " + std::to_string(Level);
  return LDPS_OK;
}
int getAPIVersion(const char *, const char *, int, int Maximal,
                  const char **Identifier, const char **Version) {
  RequestedAPI = Maximal;
  *Identifier = "mold";
  *Version = "1";
  return Maximal;
}

ld_plugin_tv entry(ld_plugin_tag Tag) {
  ld_plugin_tv Result = {};
  Result.tv_tag = Tag;
  return Result;
}

std::vector<ld_plugin_tv> leastVector() {
  std::vector<ld_plugin_tv> V = {entry(LDPT_MESSAGE),
                                 entry(LDPT_REGISTER_CLAIM_FILE_HOOK),
                                 entry(LDPT_REGISTER_ALL_SYMBOLS_READ_HOOK),
                                 entry(LDPT_ADD_SYMBOLS),
                                 entry(LDPT_GET_SYMBOLS_V2),
                                 entry(LDPT_ADD_INPUT_FILE)};
  V[0].tv_u.tv_message = message;
  V[1].tv_u.tv_register_claim_file = registerClaimFile;
  V[2].tv_u.tv_register_all_symbols_read = registerAllRead;
  V[3].tv_u.tv_add_symbols = addSymbols;
  V[4].tv_u.tv_get_symbols = getSymbolsV2;
  V[5].tv_u.tv_add_input_file = addInputFile;
  return V;
}

Error load(Linker &L, std::vector<ld_plugin_tv> V) {
  V.push_back(entry(LDPT_NULL));
  return L.load(V.data(), {nullptr, nullptr, nullptr});
}

TEST(Linker, LeastThatIsNeeded) {
  Linker L;
  EXPECT_EQ(toString(load(L, leastVector())), "");
  EXPECT_FALSE(L.takesSymbolKinds());
  EXPECT_FALSE(L.readsFilesAtOnce());
  EXPECT_TRUE(L.redefined().empty());
  L.fatal("text");
  EXPECT_EQ(Said, "level " + std::to_string(LDPL_FATAL));
  EXPECT_EQ(toString(L.addInputFile("a.o")),
            "a.o: the linker does not take this object");
}

TEST(Linker, WhatIsMissingIsNamed) {
  std::vector<ld_plugin_tv> V = leastVector();
  V.erase(V.begin() + 3);
  Linker NoSymbols;
  EXPECT_EQ(toString(load(NoSymbols, V)),
            "linker: offers no way to claim files");
  V = leastVector();
  V.pop_back();
  Linker NoFiles;
  EXPECT_EQ(toString(load(NoFiles, V)),
            "linker: offers no way to compile the files that were claimed");
}

TEST(Linker, LaterVersionsArePreferredInAnyOrder) {
  for (bool IsFirst : {true, false}) {
    ld_plugin_tv Symbols = entry(LDPT_GET_SYMBOLS_V3);
    Symbols.tv_u.tv_get_symbols = getSymbolsV3;
    ld_plugin_tv Add = entry(LDPT_ADD_SYMBOLS_V2);
    Add.tv_u.tv_add_symbols = addSymbols;
    std::vector<ld_plugin_tv> V = leastVector();
    V.insert(IsFirst ? V.begin() : V.end(), {Symbols, Add});
    Linker L;
    EXPECT_EQ(toString(load(L, V)), "");
    EXPECT_TRUE(L.takesSymbolKinds());
    EXPECT_EQ(L.getSymbols(nullptr, {}), LDPS_NO_SYMS);
  }
}

TEST(Linker, WrappedFunctionsStayAndStayApart) {
  ld_plugin_tv Wrapped = entry(LDPT_GET_WRAP_SYMBOLS);
  Wrapped.tv_u.tv_get_wrap_symbols = getWrapSymbols;
  std::vector<ld_plugin_tv> V = leastVector();
  V.push_back(Wrapped);
  Linker L;
  EXPECT_EQ(toString(load(L, V)), "");
  EXPECT_TRUE(L.redefined().contains("work"));
  EXPECT_TRUE(L.redefined().contains("__real_work"));
  EXPECT_FALSE(L.redefined().contains("__wrap_work"));
  EXPECT_TRUE(L.referred().contains("__wrap_work"));

  V.back().tv_u.tv_get_wrap_symbols = sayNothingOfWrapped;
  Linker Silent;
  EXPECT_EQ(toString(load(Silent, V)), "");
  EXPECT_TRUE(Silent.redefined().empty());
}

TEST(Linker, MoldIsAskedForItsAPI) {
  ld_plugin_tv Version = entry(LDPT_GET_API_VERSION);
  Version.tv_u.tv_get_api_version = getAPIVersion;
  std::vector<ld_plugin_tv> V = leastVector();
  V.push_back(Version);
  Linker L;
  EXPECT_EQ(toString(load(L, V)), "");
  EXPECT_EQ(RequestedAPI, LAPI_V1);
  EXPECT_TRUE(L.readsFilesAtOnce());
}

TEST(Linker, KindsOfOutput) {
  ld_plugin_tv Output = entry(LDPT_LINKER_OUTPUT);
  auto KindFor = [&](int Value) {
    Output.tv_u.tv_val = Value;
    std::vector<ld_plugin_tv> V = leastVector();
    V.push_back(Output);
    Linker L;
    EXPECT_EQ(toString(load(L, V)), "");
    return L.outputKind();
  };
  EXPECT_EQ(KindFor(LDPO_REL), OutputKind::Relocatable);
  EXPECT_EQ(KindFor(LDPO_EXEC), OutputKind::Executable);
  EXPECT_EQ(KindFor(LDPO_PIE), OutputKind::PIE);
  EXPECT_EQ(KindFor(LDPO_DYN), OutputKind::SharedLibrary);
}

} // namespace
