// SPDX-License-Identifier: GPL-3.0-or-later
// Build tool: embed SYMBOL OUTPUT.cpp INPUT... writes the inputs' bytes, one after the other, as a C++ array, so that
// the program needs no file beside it.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("usage: embed SYMBOL OUTPUT.cpp INPUT...\n", stderr);
    return 2;
  }
  std::string content;
  bool whole = true;
  for (int i = 3; i < argc; ++i) {
    std::ifstream input(argv[i], std::ios::binary);
    content.append(std::istreambuf_iterator<char>(input), {});
    whole = whole && input;
  }
  std::string text = "#include \"resources/resources.h\"\n\nnamespace lab::resources {\n\nextern const unsigned char " +
                     std::string(argv[1]) + "[] = {";
  for (std::size_t i = 0; i < content.size(); ++i) {
    if (i % 32 == 0) text += '\n';
    text += std::to_string(static_cast<unsigned>(static_cast<unsigned char>(content[i]))) + ',';
  }
  text += "\n};\nextern const std::size_t " + std::string(argv[1]) + "Size = " + std::to_string(content.size()) +
          ";\n\n}  // namespace lab::resources\n";
  std::ofstream output(argv[2], std::ios::binary);
  output << text;
  output.close();
  if (!whole || content.empty() || !output) {
    std::fprintf(stderr, "embed: cannot turn %s into %s\n", argv[3], argv[2]);
    return 1;
  }
  return 0;
}
