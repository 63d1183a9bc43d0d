# Writes OUTPUT, a C++ file with the style and the scripts of pages: the contents of
# Style_FILES and Script_FILES, each joined in this order. Run by cmake -P.
set(text "// Made by cmake/EmbedText.cmake.\n")
string(APPEND text "namespace thermocline::report {\n")
foreach(name Style Script)
  set(joined "")
  foreach(file ${${name}_FILES})
    file(READ "${file}" contents HEX)
    string(APPEND joined "${contents}")
  endforeach()
  # As numbers: no text of a file can end an array.
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," joined "${joined}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)"
    "\\1\n" joined "${joined}")
  string(APPEND text "static const char ${name}Bytes[] = {\n${joined}0};\n"
    "extern const char *const Page${name};\n"
    "const char *const Page${name} = ${name}Bytes;\n")
endforeach()
string(APPEND text "} // namespace thermocline::report\n")
file(WRITE "${OUTPUT}" "${text}")
