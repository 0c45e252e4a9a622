// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli data: downloads data sets, and checks those on this machine.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "app/cli/messages.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/table.h"
#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/units.h"
#include "core/data/fetch.h"
#include "core/data/picture_folder.h"

namespace lab::cli {
namespace {

using nlohmann::json;

const char* wordFor(FileState state) {
  switch (state) {
    case FileState::Ok:
      return "ok";
    case FileState::Missing:
      return "missing";
    case FileState::Wrong:
      return "wrong";
    case FileState::Unchecked:
      return "unchecked";
  }
  return "";
}

// What is written without dashes. For textOf() it would be an option that was given an empty value.
std::string wordOf(const CLI::Option* option, const Text& missing) {
  if (!isGiven(option) || option->results().front().empty()) throw UserError(missing);
  return option->results().front();
}

int fetch(const std::string& name, const std::string& folder, bool asJson) {
  catchInterrupts();
  const RemoteDataset& dataset = remoteDataset(name);
  const std::filesystem::path destination = folder.empty() ? customDataFolder(name) : std::filesystem::path(folder);
  if (destination.empty()) throw UserError(say::noHome);

  const bool terminal = terminalColumns(stderr) > 0 && !(asJson && terminalColumns(stdout) > 0);
  std::string shown;  // the file announced last
  std::stop_source stop;
  const auto progress = [&](const FetchProgress& at) {
    if (interrupted()) stop.request_stop();
    if (terminal) {
      const double share = at.total > 0 ? static_cast<double>(at.received) / static_cast<double>(at.total) : 0;
      std::string line = bar(share, 20) + " " + std::to_string(at.fileNumber) + "/" + std::to_string(at.files) + " " +
                         at.file + " " + formatBytes(at.received);
      if (at.total > 0) line += " of " + formatBytes(at.total);
      line.resize(std::min(line.size(), static_cast<std::size_t>(terminalColumns(stderr) - 1)));
      std::fputs(("\r" + line + "\x1b[K").c_str(), stderr);
    } else if (shown != at.file) {
      say("fetching " + at.file + " (" + std::to_string(at.fileNumber) + " of " + std::to_string(at.files) + ")");
    }
    shown = at.file;
  };
  bool done = false;
  try {
    done = fetchDataset(dataset, destination, progress, stop.get_token());
  } catch (...) {
    if (terminal) std::fputs("\r\x1b[K", stderr);
    throw;
  }
  if (terminal) std::fputs("\r\x1b[K", stderr);
  if (!done) {
    say("stopped; the part that was received is stored, and the same command continues from there.");
    return kInterrupted;
  }
  if (asJson)
    printJson({{"dataset", name}, {"folder", destination.string()}, {"complete", true}});
  else
    print(name + " is complete and checked in " + destination.string() + "\n");
  return 0;
}

// Shows what a run would use of the user's own folder of pictures.
int showPictures(const std::string& folder, bool asJson) {
  const PictureFolder read = readPictureFolder(folder, imageShapeOf("colour"));
  json classes = json::array(), leftOut = json::array();
  Table table({{"class"}, {"train"}, {"test"}});
  for (const PictureClass& each : read.classes) {
    classes.push_back({{"name", each.name}, {"train", each.train}, {"test", each.test}});
    table.add({each.name, std::to_string(each.train), std::to_string(each.test)});
  }
  Table left({{"left out"}, {"why"}});
  for (const LeftOutFile& file : read.leftOut) {
    leftOut.push_back({{"file", file.path}, {"detail", format(file.why)}});
    left.add({file.path, format(file.why)});
  }
  if (asJson)
    printJson({{"folder", folder}, {"dataset", "colour"}, {"classes", classes}, {"leftOut", leftOut}, {"ok", true}});
  else
    print(table.text() + (read.leftOut.empty() ? "" : left.text()));
  say("'" + folder + "' holds " + counted(read.train.count + read.test.count, "picture") + " of " +
      std::to_string(read.classes.size()) + " classes. `strategylab-cli train --dataset colour --data-dir '" + folder +
      "'` trains on them.");
  return 0;
}

int verify(const std::string& folder, bool asJson) {
  if (looksLikePictures(folder)) return showPictures(folder, asJson);
  const FolderReport report = verifyFolder(folder);
  json files = json::array();
  Table table({{"file"}, {"state"}, {"why"}});
  for (const FileReport& file : report.files) {
    files.push_back({{"file", file.file}, {"state", wordFor(file.state)}, {"detail", format(file.detail)}});
    table.add({file.file, wordFor(file.state), format(file.detail)});
  }
  if (asJson)
    printJson({{"folder", folder}, {"dataset", report.dataset}, {"files", files}, {"ok", report.ok()}});
  else
    print(table.text());
  if (report.ok()) {
    say("'" + folder + "' holds " + report.dataset + ".");
    return 0;
  }
  say("'" + folder + "' does not hold a whole data set. `strategylab-cli data fetch " +
      (report.dataset.empty() ? "mnist" : report.dataset) + " --data-dir '" + folder + "'` completes it.");
  return 1;
}

}  // namespace

void addData(CLI::App& app, Action& action) {
  CLI::App* data = app.add_subcommand("data", "Download data sets with checksums, and check those that are here.");
  data->require_subcommand(1);

  CLI::App* fetchCommand = data->add_subcommand("fetch", "Download a data set; continues where it stopped.");
  const CLI::Option* name = addValue(*fetchCommand, "name", "NAME", "mnist, fashion-mnist or cifar10.", "Data");
  const CLI::Option* destination = addValue(*fetchCommand, "--data-dir", "DIR",
                                            "Folder to put the files in. [the program's own data folder]", "Data");
  const CLI::Option* fetchJson = addJson(*fetchCommand);
  fetchCommand->callback([=, &action] {
    action = [=] {
      return fetch(wordOf(name, say::fetchNeedsName), textOf(destination).value_or(""), flagOf(fetchJson));
    };
  });

  CLI::App* verifyCommand =
      data->add_subcommand("verify",
                           "Check the files of a folder against the publishers' checksums, or say which "
                           "files of a folder of custom images can be used.");
  const CLI::Option* folder = addValue(*verifyCommand, "folder", "DIR", "The folder to check.", "Data");
  const CLI::Option* verifyJson = addJson(*verifyCommand);
  verifyCommand->callback(
      [=, &action] { action = [=] { return verify(wordOf(folder, say::verifyNeedsFolder), flagOf(verifyJson)); }; });
}

}  // namespace lab::cli
