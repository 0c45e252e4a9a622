# SPDX-License-Identifier: GPL-3.0-or-later
# Writes OUTPUT, one source of several TESTS. Each stands in a namespace of its own, so their names never meet; what they
# include comes first, outside of them, and is not read again. main() runs the test whose name the program is called by.
set(includes "<QtCore/qmetatype.h>" "<cstdio>" "<memory>" "<string_view>")  # the first and <memory> are for moc's output
set(bodies)
set(choices)
foreach(test ${TESTS})
  get_filename_component(folder ${test} DIRECTORY)
  file(STRINGS ${test} lines REGEX "^#include [<\"]")
  foreach(line ${lines})
    string(REGEX REPLACE "^#include ([<\"][^>\"]+[>\"]).*" "\\1" file "${line}")
    string(REGEX REPLACE "^\"([^/]+)\"$" "\"${folder}/\\1\"" file "${file}")  # beside the test
    if(NOT file MATCHES "\\.moc\"$")
      list(APPEND includes "${file}")
    endif()
  endforeach()
  get_filename_component(name ${test} NAME_WE)
  string(APPEND bodies "namespace ${name} {\n#include \"${test}\"\n}\n")
  string(APPEND choices "  if (name == \"${name}\") return ${name}::testMain(count, words);\n")
endforeach()
list(REMOVE_DUPLICATES includes)
list(JOIN includes "\n#include " includes)
file(WRITE ${OUTPUT} "#include ${includes}

#define main testMain  // that of QTEST_MAIN() and its like
${bodies}#undef main

int main(int count, char** words) {
  const std::string_view path = words[0], name = path.substr(path.find_last_of('/') + 1);
${choices}  std::fprintf(stderr, \"%s is no test: call one of the links to this program\\n\", words[0]);
  return 1;
}
")
