// SPDX-License-Identifier: GPL-3.0-or-later
// The layers, held against every source file: app -> ui -> core and, inside core, each folder only what lies below it;
// no Qt in core or in the command line; conditional compilation in one place; one licence line a file.
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// Folders of core from the bottom up: a file includes its own folder and those with a smaller number. Two folders of
// one number do not know each other.
const std::map<std::string, int> kFolders{{"base", 0},      {"trace", 10}, {"data", 10}, {"timing", 30},
                                          {"device", 40},   {"model", 50}, {"comm", 50}, {"cluster", 60},
                                          {"strategy", 70}, {"run", 80},   {"lab", 90}};
// Headers of plain data that lie lower than the rest of its folder.
const std::map<std::string, int> kHeaders{{"core/comm/schedule.h", 20},         // priced by the cost model
                                          {"core/comm/round_schedule.h", 25}};  // and by the event model

std::string folderOf(const std::string& path, std::size_t depth) {
  std::istringstream parts(path);
  std::string part;
  for (std::size_t i = 0; i <= depth; ++i) {
    if (!std::getline(parts, part, '/')) return "";
  }
  return part;
}

int coreLayer(const std::string& path) {
  if (const auto header = kHeaders.find(path); header != kHeaders.end()) return header->second;
  const auto folder = kFolders.find(folderOf(path, 1));
  return folder == kFolders.end() ? -1 : folder->second;
}

bool isQt(const std::string& header) {
  static const std::regex pattern("Q[A-Z][A-Za-z]*|Qt[A-Za-z0-9]*(/.*)?|q[a-z_]+\\.h");
  return std::regex_match(header, pattern);
}

bool startsWith(const std::string& text, const char* prefix) {
  return text.rfind(prefix, 0) == 0;
}

// What is wrong with `path` including `header`; "" where nothing is.
std::string wrongInclude(const std::string& path, const std::string& header, bool quoted) {
  const std::string top = folderOf(path, 0);
  if (isQt(header)) {
    const bool allowed = top == "ui" || (top == "app" && !startsWith(path, "app/cli/"));
    return allowed ? "" : "Qt is known to ui and to the window's main only";
  }
  if (!quoted) return "";
  const bool group = startsWith(header, "core/cluster/gpu_") || header == "core/cluster/processor_group.h";
  if (group && !startsWith(path, "core/cluster/")) return "nothing above a replica group asks which one it is";
  const std::string headerTop = folderOf(header, 0);
  if (top == "core") {
    if (header == "resources/resources.h") return "";
    if (headerTop != "core") return "core includes core only";
    if (coreLayer(path) < 0 || coreLayer(header) < 0) return "a folder of core that has no layer: add it to kFolders";
    if (coreLayer(header) < coreLayer(path)) return "";
    const bool sameFolder = folderOf(header, 1) == folderOf(path, 1);
    return sameFolder && kHeaders.count(path) == 0 ? "" : "that lies above, or beside";
  }
  if (top == "ui") {
    if (headerTop != "ui" && headerTop != "core") return "ui includes ui and core only";
    if (header == "core/run/live_run.h" && !startsWith(path, "ui/run_controller.")) {
      return "the run controller alone talks to the trainer";
    }
    return "";
  }
  if (startsWith(path, "app/cli/") && headerTop == "ui") return "the command line knows core only";
  return "";
}

// What is wrong with a source file.
std::vector<std::string> violations(const std::string& path, const std::string& content) {
  static const std::regex include(R"re(^\s*#\s*include\s*(["<])([^">]+)[">].*)re");
  static const std::regex conditional(R"(^\s*#\s*(if|ifdef|ifndef|elif)\b.*)");
  const bool mayAsk = path == "core/base/platform.cpp" || startsWith(path, "core/device/eigen/") ||
                      path == "core/device/cuda/block.h";  // one source for GPU and processor
  std::vector<std::string> found;
  std::istringstream lines(content);
  std::string line;
  int licences = 0;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string where = path + ":" + std::to_string(number) + ": ";
    std::smatch match;
    if (std::regex_match(line, match, include)) {
      const std::string wrong = wrongInclude(path, match[2], match[1] == "\"");
      if (!wrong.empty()) found.push_back(where + match[2].str() + ": " + wrong);
    } else if (!mayAsk && std::regex_match(line, conditional)) {
      found.push_back(where + "conditional compilation belongs in core/base/platform.cpp");
    }
    if (line.find("courseNetwork()") != std::string::npos && !startsWith(path, "core/model/") &&
        path != "core/run/resolve_config.cpp")
      found.push_back(where + "a run carries its network (RunInfo, Cluster::layout)");
    if (startsWith(line, "// SPDX-License-Identifier: GPL-3.0-or-later")) ++licences;
  }
  if (licences != 1 || !startsWith(content, "// SPDX"))
    found.push_back(path + ": one licence line, the first, is needed");
  return found;
}

std::string withLicence(const std::string& text) {
  return "// SPDX-License-Identifier: GPL-3.0-or-later\n" + text;
}

}  // namespace

class TestLayering : public QObject {
  Q_OBJECT

 private slots:
  void ruleSees_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("wrong");
    const auto row = [](const char* name, const char* path, const char* text, bool wrong) {
      QTest::newRow(name) << path << text << wrong;
    };
    row("below", "core/run/trainer.cpp", "#include \"core/strategy/strategy.h\"", false);
    row("above", "core/data/idx.cpp", "#include \"core/run/run_config.h\"", true);
    row("beside", "core/model/cnn.cpp", "#include \"core/comm/execute.h\"", true);
    row("own folder", "core/device/eigen/conv.cpp", "#include \"core/device/backend.h\"", false);
    row("schedule from timing", "core/timing/whole_ns.h", "#include \"core/comm/schedule.h\"", false);
    row("communicator from timing", "core/timing/whole_ns.h", "#include \"core/comm/execute.h\"", true);
    row("schedule is below comm", "core/comm/schedule.h", "#include \"core/comm/execute.h\"", true);
    row("configuration from a strategy", "core/strategy/mirrored.cpp", "#include \"core/run/run_config.h\"", true);
    row("trainer from a strategy", "core/strategy/mirrored.cpp", "#include \"core/run/trainer.h\"", true);
    row("configuration from comm", "core/comm/execute.cpp", "#include \"core/run/run_config.h\"", true);
    row("GPUs from a run", "core/run/trainer.cpp", "#include \"core/cluster/gpu_replicas.h\"", true);
    row("GPUs from the cluster", "core/cluster/cluster.cpp", "#include \"core/cluster/gpu_replicas.h\"", false);
    row("network from nowhere", "ui/stage/scene.cpp", "courseNetwork().layout()", true);
    row("network where a run is built", "core/run/resolve_config.cpp", "courseNetwork()", false);
    row("folder without a layer", "core/extra/a.cpp", "#include \"core/base/error.h\"", true);
    row("ui from core", "core/run/trainer.cpp", "#include \"ui/main_window.h\"", true);
    row("Qt class in core", "core/run/trainer.cpp", "#include <QString>", true);
    row("Qt module in core", "core/run/trainer.cpp", "#  include <QtCore/qglobal.h>", true);
    row("Qt in the command line", "app/cli/main.cpp", "#include <QCoreApplication>", true);
    row("Qt in ui", "ui/main_window.cpp", "#include <QLabel>", false);
    row("app from ui", "ui/main_window.cpp", "#include \"app/options.h\"", true);
    row("trainer from a view", "ui/main_window.cpp", "#include \"core/run/live_run.h\"", true);
    row("trainer from the controller", "ui/run_controller.h", "#include \"core/run/live_run.h\"", false);
    row("ui from the command line", "app/cli/main.cpp", "#include \"ui/main_window.h\"", true);
    row("platform in core", "core/run/trainer.cpp", "#ifdef __linux__", true);
    row("platform in platform.cpp", "core/base/platform.cpp", "#if defined(__linux__)", false);
    row("compiler in block.h", "core/device/cuda/block.h", "#if defined(__CUDACC__)", false);
    row("compiler in a kernel", "core/device/cuda/element_kernels.h", "#if defined(__CUDACC__)", true);
    row("second licence", "core/base/error.h", "// SPDX-License-Identifier: GPL-3.0-or-later", true);
  }
  void ruleSees() {
    QFETCH(QString, path);
    QFETCH(QString, text);
    QFETCH(bool, wrong);
    QCOMPARE(!violations(path.toStdString(), withLicence(text.toStdString())).empty(), wrong);
  }
  void licenceIsNeeded() { QCOMPARE(violations("core/base/error.h", "#pragma once\n").size(), std::size_t{1}); }

  void everySourceKeepsTheRules() {
    const fs::path root = STRATEGYLAB_SOURCE_DIR;
    int files = 0;
    for (const char* top : {"core", "ui", "app", "resources"}) {
      for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".h" && extension != ".cpp" && extension != ".cu" && extension != ".cuh") continue;
        ++files;
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string content{std::istreambuf_iterator<char>(file), {}};
        for (const std::string& found : violations(fs::relative(entry.path(), root).generic_string(), content)) {
          QTest::qFail(found.c_str(), __FILE__, __LINE__);
        }
      }
    }
    QVERIFY2(files > 20, "the sources were not found");
  }
};

QTEST_GUILESS_MAIN(TestLayering)
#include "tst_layering.moc"
