// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/codegen/notebook.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace lab {
namespace {

using nlohmann::ordered_json;

struct PartHead {
  ProgramPart part;
  const char* id;
  const char* text;
};
// In English, like the program's own comments.
constexpr PartHead kHeads[]{
    {ProgramPart::Head, "imports", "## Imports"},
    {ProgramPart::Settings, "settings", "## Settings\nThose of the run in StrategyLab."},
    {ProgramPart::Strategy, "strategy", "## The strategy\nWhere replicas are, and how many."},
    {ProgramPart::Data, "data", "## The input pipeline\nExamples are scaled, shuffled and put into global batches."},
    {ProgramPart::Model, "model",
     "## The model, in the strategy's scope\nWhat is created there is the strategy's to place or to copy."},
    {ProgramPart::Step, "step", "## A step\nWhat one replica does with its part, and how the strategy runs it on all."},
    {ProgramPart::Training, "training", "## Training"},
    {ProgramPart::End, "end", "## At the end"},
};

// Returns the lines with their ends, as nbformat stores them.
ordered_json sourceOf(const std::string& text) {
  ordered_json lines = ordered_json::array();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end + 1 - at));
    at = end + 1;
  }
  return lines;
}

ordered_json markdownCell(const std::string& id, const std::string& text) {
  return {{"cell_type", "markdown"}, {"id", id}, {"metadata", ordered_json::object()}, {"source", sourceOf(text)}};
}

ordered_json codeCell(const std::string& id, const std::string& text) {
  return {{"cell_type", "code"},
          {"execution_count", nullptr},
          {"id", id},
          {"metadata", ordered_json::object()},
          {"outputs", ordered_json::array()},
          {"source", sourceOf(text)}};
}

// Returns the lines of a part, without the empty lines around them.
std::string textOf(const Program& program, ProgramPart part) {
  std::string text;
  std::size_t empty = 0;
  for (const ProgramLine& line : program.lines) {
    if (line.text.empty()) {
      ++empty;
      continue;
    }
    if (line.part == part) text += text.empty() ? line.text : std::string(empty + 1, '\n') + line.text;
    empty = 0;
  }
  return text;
}

std::string introduction(const Program& program, const std::string& name) {
  std::string text = "# " + program.title + "\n\nThe TensorFlow program of a run's settings, made by StrategyLab.";
  if (program.severalTasks)
    text +=
        "\n\nEvery task of the cluster is a process that runs the whole program, which one kernel cannot be. So "
        "these cells write it to `" +
        name + "`, and the last one starts it.";
  return text;
}

// Quotes a name so that a shell reads it as one word.
std::string quoted(const std::string& name) {
  std::string text = "'";
  for (const char each : name) text += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return text + "'";
}

}  // namespace

std::string notebookOf(const Program& program, const std::string& name) {
  ordered_json cells = ordered_json::array();
  cells.push_back(markdownCell("title", introduction(program, name)));
  bool first = true;
  for (const PartHead& head : kHeads) {
    std::string code = textOf(program, head.part);
    if (code.empty()) continue;
    cells.push_back(markdownCell(std::string(head.id) + "-head", head.text));
    if (program.severalTasks)
      code = std::string("%%writefile ") + (first ? "" : "-a ") + quoted(name) + "\n" + code + "\n";
    cells.push_back(codeCell(head.id, code));
    first = false;
  }
  if (program.severalTasks) {
    cells.push_back(markdownCell("run-head", "## Running it"));
    cells.push_back(codeCell("run", "!python3 " + quoted(name)));
  }
  const ordered_json notebook{
      {"cells", std::move(cells)},
      {"metadata",
       {{"kernelspec", {{"display_name", "Python 3"}, {"language", "python"}, {"name", "python3"}}},
        {"language_info", {{"name", "python"}}}}},
      {"nbformat", 4},
      {"nbformat_minor", 5}};
  return notebook.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace lab
