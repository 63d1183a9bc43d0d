//===- plugin/Linker.cpp - The linker that loaded us ----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Linker.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/Version.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::lto::plugin;

static Error missing(const Twine &What) {
  return fileError("linker", "offers no " + What);
}

/// What is called while the plugin is loaded, and not again.
struct Linker::UsedOnce {
  ld_plugin_register_claim_file RegisterClaimFile = nullptr;
  ld_plugin_register_all_symbols_read RegisterAllSymbolsRead = nullptr;
  ld_plugin_register_cleanup RegisterCleanup = nullptr;
  ld_plugin_get_symbols GetSymbolsV2 = nullptr;
  ld_plugin_get_wrap_symbols GetWrapSymbols = nullptr;
  ld_plugin_get_api_version GetAPIVersion = nullptr;
  bool IsGNU = false;
};

void Linker::take(const ld_plugin_tv &Offer, UsedOnce &Once) {
  const auto &Value = Offer.tv_u;
  switch (Offer.tv_tag) {
  case LDPT_MESSAGE:
    Message = Value.tv_message;
    break;
  case LDPT_OUTPUT_NAME:
    OutputName = Value.tv_string;
    break;
  case LDPT_LINKER_OUTPUT:
    Kind = Value.tv_val == LDPO_REL   ? OutputKind::Relocatable
           : Value.tv_val == LDPO_DYN ? OutputKind::SharedLibrary
           : Value.tv_val == LDPO_PIE ? OutputKind::PIE
                                      : OutputKind::Executable;
    break;
  case LDPT_OPTION:
    PluginOptions.push_back(Value.tv_string);
    break;
  case LDPT_REGISTER_CLAIM_FILE_HOOK:
    Once.RegisterClaimFile = Value.tv_register_claim_file;
    break;
  case LDPT_REGISTER_ALL_SYMBOLS_READ_HOOK:
    Once.RegisterAllSymbolsRead = Value.tv_register_all_symbols_read;
    break;
  case LDPT_REGISTER_CLEANUP_HOOK:
    Once.RegisterCleanup = Value.tv_register_cleanup;
    break;
  case LDPT_ADD_SYMBOLS:
    if (!AddSymbolsV2)
      AddSymbols = Value.tv_add_symbols;
    break;
  case LDPT_ADD_SYMBOLS_V2:
    AddSymbols = Value.tv_add_symbols;
    AddSymbolsV2 = true;
    break;
  case LDPT_GET_SYMBOLS_V2:
    Once.GetSymbolsV2 = Value.tv_get_symbols;
    break;
  case LDPT_GET_SYMBOLS_V3:
    GetSymbols = Value.tv_get_symbols;
    break;
  case LDPT_GNU_LD_VERSION:
    Once.IsGNU = true;
    break;
  case LDPT_RELEASE_INPUT_FILE:
    ReleaseInputFile = Value.tv_release_input_file;
    break;
  case LDPT_ADD_INPUT_FILE:
    AddInputFile = Value.tv_add_input_file;
    break;
  case LDPT_SET_EXTRA_LIBRARY_PATH:
    SetExtraLibraryPath = Value.tv_set_extra_library_path;
    break;
  case LDPT_GET_WRAP_SYMBOLS:
    Once.GetWrapSymbols = Value.tv_get_wrap_symbols;
    break;
  case LDPT_GET_API_VERSION:
    Once.GetAPIVersion = Value.tv_get_api_version;
    break;
  default:
    break;
  }
}

Error Linker::registerHooks(const UsedOnce &Once,
                            const Hooks &Registered) const {
  if (!Once.RegisterClaimFile || !AddSymbols)
    return missing("way to claim files");
  if (!Once.RegisterAllSymbolsRead || !GetSymbols || !AddInputFile)
    return missing("way to compile the files that were claimed");
  if (Once.RegisterClaimFile(Registered.ClaimFile) != LDPS_OK ||
      Once.RegisterAllSymbolsRead(Registered.AllSymbolsRead) != LDPS_OK ||
      (Once.RegisterCleanup &&
       Once.RegisterCleanup(Registered.Cleanup) != LDPS_OK))
    return fileError("linker", "refuses the plugin's functions");
  return Error::success();
}

/// Takes from the linker's command line what no callback tells.
void Linker::takeCommandLine() {
  Arguments = LinkerArguments::ofThisProcess();
  if (Arguments.Relocatable)
    Kind = OutputKind::Relocatable;
  Problems = std::move(Arguments.Problems);
  for (const std::string &Name : Arguments.Wrapped)
    addWrapped(Name);
  for (const std::string &Name : Arguments.Defined)
    Redefined.insert(Name);
  for (const std::string &Name : Arguments.Referred)
    Referred.insert(Name);
}

Error Linker::load(const ld_plugin_tv *Vector, const Hooks &Registered) {
  UsedOnce Once;
  for (; Vector->tv_tag != LDPT_NULL; ++Vector)
    take(*Vector, Once);
  if (!GetSymbols)
    GetSymbols = Once.GetSymbolsV2;
  // The others close by themselves what is not asked for again.
  if (!Once.IsGNU)
    ReleaseInputFile = nullptr;
  if (Error E = registerHooks(Once, Registered))
    return E;
  if (Once.GetAPIVersion) {
    // mold takes the v3 of get_symbols for usable only by those who ask; else
    // it starts itself anew to leave out archive members.
    const char *Identifier = nullptr, *Version = nullptr;
    Once.GetAPIVersion(ToolName.data(), thermocline::version().data(), LAPI_V0,
                       LAPI_V1, &Identifier, &Version);
    IsMold = Identifier && StringRef(Identifier) == "mold";
  }
  if (Once.GetWrapSymbols)
    takeWrapped(Once.GetWrapSymbols);
  takeCommandLine();
  return Error::success();
}

void Linker::takeWrapped(ld_plugin_get_wrap_symbols Get) {
  // mold says that all is well and sets nothing.
  uint64_t Count = 0;
  const char **Names = nullptr;
  if (Get(&Count, &Names) == LDPS_OK && Names)
    for (const char *Name : ArrayRef(Names, Count))
      addWrapped(Name);
}

void Linker::addWrapped(StringRef Name) {
  // Calls of NAME will be of __wrap_NAME, and those of __real_NAME of NAME,
  // once there is native code: until then nothing refers to these two.
  Redefined.insert(Name);
  Redefined.insert(("__real_" + Name).str());
  Referred.insert(Name);
  Referred.insert(("__wrap_" + Name).str());
}

void Linker::send(ld_plugin_level Level, const Twine &Text) const {
  std::lock_guard<std::mutex> Guard(MessageLock);
  // Some of LLVM's texts end their line by themselves.
  std::string Whole =
      StringRef((ToolName + ": " + Text).str()).rtrim('\n').str();
  if (Message)
    Message(Level, "%s", Whole.c_str());
  else
    errs() << Whole << '\n';
}

void Linker::fatal(const Twine &Text) const { send(LDPL_FATAL, Text); }
void Linker::warn(const Twine &Text) const { send(LDPL_WARNING, Text); }
void Linker::note(const Twine &Text) const { send(LDPL_INFO, Text); }

ld_plugin_status Linker::addSymbols(void *Handle,
                                    ArrayRef<ld_plugin_symbol> Symbols) const {
  return AddSymbols(Handle, Symbols.size(), Symbols.data());
}

void Linker::closeClaimed(const void *Handle) const {
  if (ReleaseInputFile)
    ReleaseInputFile(Handle);
}

ld_plugin_status
Linker::getSymbols(const void *Handle,
                   MutableArrayRef<ld_plugin_symbol> Symbols) const {
  return GetSymbols(Handle, Symbols.size(), Symbols.data());
}

Error Linker::addInputFile(const std::string &Path) const {
  if (AddInputFile(Path.c_str()) != LDPS_OK)
    return fileError(Path, "the linker does not take this object");
  return Error::success();
}

Error Linker::setExtraLibraryPath(const std::string &Path) const {
  if (!SetExtraLibraryPath || SetExtraLibraryPath(Path.c_str()) != LDPS_OK)
    return fileError("extra-library-path",
                     "the linker does not take " + Twine(Path));
  return Error::success();
}
