// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=unsanitized
// The layers, held against every source file: app -> ui -> core and, inside core and ui, each folder only what lies
// below it; no Qt in core or in the command line; conditional compilation in one place; no letters of the user's
// language; one licence line a file; no function over 60 lines; no two definitions in unnamed namespaces that clash in
// a unity build; few sources of ui that see the kernels' headers.
#include <QTest>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/unnamed_names.h"

namespace {

namespace fs = std::filesystem;

// Folders of core from the bottom up: a file may include its own folder and those with a smaller number. Two folders
// with the same number do not know each other.
const std::map<std::string, int> kFolders{
    {"base", 0},     {"trace", 10},      {"config", 15},   {"data", 20},    {"timeline", 25},   {"hardware", 28},
    {"timing", 30},  {"device", 40},     {"selftest", 45}, {"process", 45}, {"model", 50},      {"comm", 50},
    {"wasm", 55},    {"keras", 55},      {"replicas", 58}, {"cluster", 60}, {"strategy", 70},   {"options", 75},
    {"files", 77},   {"prediction", 77}, {"training", 80}, {"replay", 82},  {"launching", 83},  {"protocol", 83},
    {"serving", 84}, {"classruns", 86},  {"codegen", 87},  {"lesson", 87},  {"experiments", 90}};
// Headers of plain data that lie lower than the rest of their folder.
const std::map<std::string, int> kHeaders{{"core/comm/schedule.h", 20},         // the cost model asks it
                                          {"core/comm/round_schedule.h", 25}};  // so does the event model

// The folders of ui, in the same way. No source lies directly in ui.
const std::map<std::string, int> kRooms{
    {"i18n", 0},     {"accessibility", 0}, {"theme", 10},   {"runview", 10},   {"playback", 20}, {"setup", 20},
    {"help", 30},    {"transport", 30},    {"step", 25},    {"scene", 30},     {"painting", 35}, {"runs", 30},
    {"serving", 40}, {"inspect", 40},      {"trace", 40},   {"data", 40},      {"charts", 40},   {"stage", 50},
    {"whatif", 50},  {"tryout", 50},       {"profile", 50}, {"files", 50},     {"lanes", 52},    {"branches", 54},
    {"compare", 55}, {"sweep", 55},        {"guide", 55},   {"program", 55},   {"network", 55},  {"movie", 55},
    {"poster", 57},  {"frame", 58},        {"window", 60},  {"classroom", 65}, {"session", 70}};

constexpr int kMostLines = 60;  // in a function

// The header that a change to a kernel touches, and how many sources of the window may be compiled again because of it.
constexpr const char* kBackend = "core/device/backend.h";
constexpr std::ptrdiff_t kMostThatSeeIt = 25;

std::string folderOf(const std::string& path, std::size_t depth) {
  std::istringstream parts(path);
  std::string part;
  for (std::size_t i = 0; i <= depth; ++i) {
    if (!std::getline(parts, part, '/')) return "";
  }
  return part;
}

// Returns -1 if the path is in no layer.
int layerOf(const std::string& path) {
  if (const auto header = kHeaders.find(path); header != kHeaders.end()) return header->second;
  const auto& folders = folderOf(path, 0) == "ui" ? kRooms : kFolders;
  const auto folder = folders.find(folderOf(path, 1));
  return folder == folders.end() ? -1 : folder->second;
}

bool isQt(const std::string& header) {
  static const std::regex pattern("Q[A-Z][A-Za-z]*|Qt[A-Za-z0-9]*(/.*)?|q[a-z_]+\\.h");
  return std::regex_match(header, pattern);
}

bool startsWith(const std::string& text, const char* prefix) {
  return text.rfind(prefix, 0) == 0;
}

// The same for two files of core, or of ui.
std::string wrongWay(const std::string& path, const std::string& header) {
  if (layerOf(path) < 0 || layerOf(header) < 0) return "a folder that has no layer: add it to kFolders or kRooms";
  if (layerOf(header) < layerOf(path)) return "";
  const bool sameFolder = folderOf(header, 1) == folderOf(path, 1);
  return sameFolder && kHeaders.count(path) == 0 ? "" : "that lies above, or beside";
}

// Returns what is wrong with `path` including `header`; "" if nothing is.
std::string wrongInclude(const std::string& path, const std::string& header, bool quoted) {
  const std::string top = folderOf(path, 0);
  if (isQt(header)) {
    const bool allowed = top == "ui" || (top == "app" && !startsWith(path, "app/cli/"));
    return allowed ? "" : "Qt is known to ui and to the window's main only";
  }
  if (!quoted) return "";
  const bool group = startsWith(header, "core/replicas/gpu/") || header == "core/replicas/processor_group.h" ||
                     header == "core/replicas/worker_group.h";
  if (group && !startsWith(path, "core/replicas/") && !startsWith(path, "core/cluster/"))
    return "nothing above a replica group asks which one it is";
  if (startsWith(header, "core/replicas/gpu/") && !startsWith(path, "core/replicas/gpu/") &&
      path != "core/cluster/cluster_parts.cpp")
    return "a cluster makes GPUs' replicas, and nobody else knows them";
  if (startsWith(header, "core/selftest/") && !startsWith(path, "core/selftest/") && path != "app/cli/selftest.cpp")
    return "the reference and its cases belong to selftest and the tests";
  static const std::set<std::string> kOfThisMachine{"core/base/file.h", "core/base/platform.h",
                                                    "core/data/picture_folder.h", "core/device/cuda/gpu_module.h",
                                                    "core/process/peers.h"};
  if (path == "core/options/resolve.cpp" && kOfThisMachine.count(header) > 0)
    return "what settings mean is told of this machine (core/options/surroundings.h) and asks for nothing";
  const std::string headerTop = folderOf(header, 0);
  if (top == "core") {
    if (header == "resources/resources.h") return "";
    if (headerTop != "core") return "core includes core only";
    return wrongWay(path, header);
  }
  if (top == "ui") {
    if (headerTop != "ui" && headerTop != "core") return "ui includes ui and core only";
    if (header == "core/launching/live_run.h" && !startsWith(path, "ui/runview/run_controller.")) {
      return "the run controller alone talks to the trainer";
    }
    return headerTop == "ui" ? wrongWay(path, header) : "";
  }
  if (startsWith(path, "app/cli/") && headerTop == "ui") return "the command line knows core only";
  return "";
}

// Finds functions that are too long. clang-format ends a function outside of classes with a line "}" and a member's
// body with "  }"; the function begins at the nearest line before that is indented no further.
std::vector<std::string> longFunctions(const std::string& path, const std::string& content) {
  std::array<int, 2> begins{};  // the latest line indented by 0, by 2
  std::vector<std::string> found;
  std::istringstream lines(content);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::size_t in = line.find_first_not_of(' ');
    if (in != 0 && in != 2) continue;
    int& begin = begins[in / 2];
    if (line.substr(in) == "}" && number - begin + 1 > kMostLines)
      found.push_back(path + ":" + std::to_string(begin) + ": a function of more than 60 lines");
    if (line[in] != '}') begin = number;
  }
  return found;
}

// Returns what is wrong with a source file.
std::vector<std::string> violations(const std::string& path, const std::string& content) {
  static const std::regex include(R"re(^\s*#\s*include\s*(["<])([^">]+)[">].*)re");
  static const std::regex conditional(R"(^\s*#\s*(if|ifdef|ifndef|elif)\b.*)");
  const bool mayAsk = path == "core/base/platform.cpp" || startsWith(path, "core/device/cpu/") ||
                      path == "core/base/child_process.cpp" || path == "core/base/shared_memory.cpp" ||
                      path == "core/base/file_lock.cpp" ||
                      path == "core/device/cuda/block.h";  // one source serves GPU and processor
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
        path != "core/options/network_of.cpp")
      found.push_back(where + "a run carries its network (RunInfo, Cluster::layout)");
    if (line.find("std::tolower") != std::string::npos || line.find("std::toupper") != std::string::npos)
      found.push_back(where + "letters follow the user's language: core/base/ascii.h");
    if (startsWith(line, "// SPDX-License-Identifier: GPL-3.0-or-later")) ++licences;
  }
  if (startsWith(path, "ui/") && layerOf(path) < 0) found.push_back(path + ": a source of ui is in one of kRooms");
  if (licences != 1 || !startsWith(content, "// SPDX"))
    found.push_back(path + ": one licence line, the first, is needed");
  return found;
}

// The folders that LAB_TOGETHER names in a line of core/CMakeLists.txt or ui/CMakeLists.txt, each with that line.
std::map<std::string, std::string> foldersTogether() {
  std::map<std::string, std::string> together;
  for (const std::string top : {"core", "ui"}) {
    std::ifstream file(fs::path(STRATEGYLAB_SOURCE_DIR) / top / "CMakeLists.txt");
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    std::smatch list;
    if (!std::regex_search(content, list, std::regex("set\\(LAB_TOGETHER([^)]*)\\)"))) continue;
    const std::string lines = list[1];
    const std::regex quoted("\"([^\"]*)\"");
    for (std::sregex_iterator line(lines.begin(), lines.end(), quoted), end; line != end; ++line) {
      std::istringstream folders((*line)[1]);
      for (std::string folder; folders >> folder;) together[top + "/" + folder] = top + ": " + (*line)[1].str();
    }
  }
  return together;
}

// The sources that a unity build compiles as one (lab_unity in the top CMakeLists.txt, and the programs of app/); "" if
// none.
std::string unityGroupOf(const std::string& path) {
  for (const char* other : {"core/process/mpi/", "core/keras/hdf5/", "core/wasm/"})  // these belong to another target
    if (startsWith(path, other)) return "";
  const std::string top = folderOf(path, 0), inner = folderOf(path, 1);
  if (top == "resources" || !path.ends_with(".cpp")) return "";
  if (inner.ends_with(".cpp")) return top;
  static const std::map<std::string, std::string> kTogether = foldersTogether();
  const auto found = kTogether.find(top + "/" + inner);
  return found != kTogether.end() ? found->second : top + "/" + inner;
}

// Definitions in different files of `sources` (path and content) that cannot stand in one translation unit.
std::vector<std::string> clashes(const std::vector<std::pair<std::string, std::string>>& sources) {
  struct Place {
    std::string path;
    lab::test::UnnamedName name;
  };
  std::map<std::pair<std::string, QString>, std::vector<Place>> all;
  std::vector<std::string> found;
  for (const auto& [path, content] : sources) {
    const std::string group = unityGroupOf(path);
    if (group.empty()) continue;
    for (const lab::test::UnnamedName& name : lab::test::unnamedNames(QString::fromStdString(content))) {
      std::vector<Place>& places = all[{group, name.name}];
      for (const Place& other : places)
        if (other.path != path && lab::test::clash(other.name, name))
          found.push_back(path + ": '" + name.name.toStdString() + "' is in an unnamed namespace of " + other.path +
                          " too, and a unity build compiles both as one");
      places.push_back({path, name});
    }
  }
  return found;
}

// Returns the sources of ui among `sources` (path and content) that include `header`, themselves or by others.
std::vector<std::string> windowSourcesThatSee(const std::string& header,
                                              const std::vector<std::pair<std::string, std::string>>& sources) {
  constexpr std::string_view kInclude = "#include \"";
  std::map<std::string, std::vector<std::string>> includedBy;
  for (const auto& [path, content] : sources) {
    std::istringstream lines(content);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with(kInclude) && line.ends_with('"'))
        includedBy[line.substr(kInclude.size(), line.size() - kInclude.size() - 1)].push_back(path);
  }
  std::set<std::string> seeing{header};
  for (std::vector<std::string> next{header}; !next.empty();) {
    const std::string last = next.back();
    next.pop_back();
    for (const std::string& path : includedBy[last])
      if (seeing.insert(path).second) next.push_back(path);
  }
  std::vector<std::string> found;
  for (const std::string& path : seeing)
    if (startsWith(path, "ui/") && path.ends_with(".cpp")) found.push_back(path);
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
    row("below", "core/training/trainer.cpp", "#include \"core/strategy/strategy.h\"", false);
    row("above", "core/data/idx.cpp", "#include \"core/options/config_field.h\"", true);
    row("beside", "core/model/cnn.cpp", "#include \"core/comm/execute.h\"", true);
    row("own folder", "core/device/cpu/conv.cpp", "#include \"core/device/backend.h\"", false);
    row("schedule from timing", "core/timing/whole_ns.h", "#include \"core/comm/schedule.h\"", false);
    row("communicator from timing", "core/timing/whole_ns.h", "#include \"core/comm/execute.h\"", true);
    row("schedule is below comm", "core/comm/schedule.h", "#include \"core/comm/execute.h\"", true);
    row("configuration from a strategy", "core/strategy/mirrored.cpp", "#include \"core/options/config_field.h\"",
        true);
    row("trainer from a strategy", "core/strategy/mirrored.cpp", "#include \"core/training/trainer.h\"", true);
    row("configuration from comm", "core/comm/execute.cpp", "#include \"core/options/config_field.h\"", true);
    row("plain settings from comm", "core/comm/execute.cpp", "#include \"core/config/run_settings.h\"", false);
    row("a strategy from plain settings", "core/config/run_info.h", "#include \"core/strategy/strategy.h\"", true);
    row("replay from training", "core/training/trainer.cpp", "#include \"core/replay/recompute.h\"", true);
    row("prediction from files", "core/files/run_file.cpp", "#include \"core/prediction/rates.h\"", true);
    row("GPUs from a run", "core/training/trainer.cpp", "#include \"core/replicas/gpu/gpu_replicas.h\"", true);
    row("GPUs from the cluster", "core/cluster/cluster_parts.cpp", "#include \"core/replicas/gpu/gpu_replicas.h\"",
        false);
    row("GPUs from another replica group", "core/replicas/worker_group.cpp",
        "#include \"core/replicas/gpu/gpu_replicas.h\"", true);
    row("reference from the core", "core/model/cnn.cpp", "#include \"core/selftest/reference.h\"", true);
    row("reference from the window", "ui/window/main_window.cpp", "#include \"core/selftest/reference.h\"", true);
    row("reference from the command line", "app/cli/selftest.cpp", "#include \"core/selftest/reference.h\"", false);
    row("network from nowhere", "ui/scene/scene.cpp", "courseNetwork().layout()", true);
    row("network where a run is built", "core/options/network_of.cpp", "courseNetwork()", false);
    row("folder without a layer", "core/extra/a.cpp", "#include \"core/base/error.h\"", true);
    row("ui from core", "core/training/trainer.cpp", "#include \"ui/window/main_window.h\"", true);
    row("Qt class in core", "core/training/trainer.cpp", "#include <QString>", true);
    row("Qt module in core", "core/training/trainer.cpp", "#  include <QtCore/qglobal.h>", true);
    row("Qt in the command line", "app/cli/main.cpp", "#include <QCoreApplication>", true);
    row("below in ui", "ui/stage/stage.cpp", "#include \"ui/inspect/describe.h\"", false);
    row("above in ui", "ui/inspect/describe.cpp", "#include \"ui/stage/stage.h\"", true);
    row("beside in ui", "ui/setup/fit.cpp", "#include \"ui/playback/story.h\"", true);
    row("own room", "ui/stage/stage.cpp", "#include \"ui/stage/stage_canvas.h\"", false);
    row("room without a layer", "ui/extra/a.cpp", "#include \"ui/i18n/words.h\"", true);
    row("source beside the rooms", "ui/a.cpp", "", true);
    row("Qt in ui", "ui/window/main_window.cpp", "#include <QLabel>", false);
    row("app from ui", "ui/window/main_window.cpp", "#include \"app/options.h\"", true);
    row("trainer from a view", "ui/window/main_window.cpp", "#include \"core/launching/live_run.h\"", true);
    row("trainer from the controller", "ui/runview/run_controller.h", "#include \"core/launching/live_run.h\"", false);
    row("ui from the command line", "app/cli/main.cpp", "#include \"ui/window/main_window.h\"", true);
    row("platform in core", "core/training/trainer.cpp", "#ifdef __linux__", true);
    row("platform in platform.cpp", "core/base/platform.cpp", "#if defined(__linux__)", false);
    row("compiler in block.h", "core/device/cuda/block.h", "#if defined(__CUDACC__)", false);
    row("compiler in a kernel", "core/device/cuda/element_kernels.h", "#if defined(__CUDACC__)", true);
    row("letters of the user's language", "core/files/metric_json.cpp", "c = std::toupper(c);", true);
    row("second licence", "core/base/error.h", "// SPDX-License-Identifier: GPL-3.0-or-later", true);
  }
  void ruleSees() {
    QFETCH(QString, path);
    QFETCH(QString, text);
    QFETCH(bool, wrong);
    QCOMPARE(!violations(path.toStdString(), withLicence(text.toStdString())).empty(), wrong);
  }
  void licenceIsNeeded() { QCOMPARE(violations("core/base/error.h", "#pragma once\n").size(), std::size_t{1}); }

  void longFunctionsAreSeen() {
    const std::string body = std::string(59, '\n'), end = "}\n";
    QVERIFY(longFunctions("core/a.cpp", "int f() {" + body.substr(1) + end).empty());
    QCOMPARE(longFunctions("core/a.cpp", "int f() {\n" + body + end).size(), std::size_t{1});
    QCOMPARE(longFunctions("core/a.h", "struct A {\n  int f() {\n" + body + "  }\n};\n").size(), std::size_t{1});
    QVERIFY(longFunctions("core/a.h", "struct A {\n" + body + body + "};\n").empty());
  }

  void namesThatClashAreSeen_data() {
    QTest::addColumn<QString>("one");
    QTest::addColumn<QString>("other");
    QTest::addColumn<bool>("wrong");
    const auto row = [](const char* name, const char* one, const char* other, bool wrong) {
      QTest::newRow(name) << one << other << wrong;
    };
    row("functions", "int f(int a) {\n  return a;\n}", "int f(int b) {\n  return {};\n}", true);
    row("functions, templates", "template <typename T>\nint f(const T& a) {}",
        "template <typename T>\nint f(const T& b) {}", true);
    row("overloads", "int f(int a) {\n  return a;\n}", "int f(double a) {\n  return 0;\n}", false);
    row("other names", "int f() {\n  return 0;\n}", "int g() {\n  return f();\n}", false);
    row("constants", "constexpr int kA = 1 << 2, kB{2};", "constexpr double kB = 2;", true);
    row("constants of a type", "const std::map<int, int> kMap{{1, 2}};", "std::vector<int> kMap;", true);
    row("arrays", "constexpr int kAll[] = {1, 2};", "constexpr int kAll[] = {1, 2};", true);
    row("types", "struct A {\n  int a = 0;\n};", "class A final : public B {\n};", true);
    row("members", "struct A {\n  int f();\n  int a;\n};\nint A::f() {}", "struct B {\n  int f();\n};\nint a() {}",
        false);
    row("enumerations", "enum class E { A };", "enum E { B };", true);
    row("a type and a function", "struct A {};", "int A(int b) {}", true);
    row("only announced", "struct A;", "struct A {};", false);
    row("the same alias", "using K = Kind;\nnamespace fs = std::filesystem;",
        "using K = Kind;\nnamespace fs = std::filesystem;", false);
    row("another alias", "using K = Kind;", "using K = Shape;", true);
    row("comments and strings", "// int f(int a) {}\nconst char* kA = \"int f(int a) {}\";", "int f(int a) {}", false);
    row("behind a string", "const char* kA = \"}\";\nint f() {}", "int f() {}", true);
  }
  void namesThatClashAreSeen() {
    QFETCH(QString, one);
    QFETCH(QString, other);
    QFETCH(bool, wrong);
    const auto source = [](const QString& text) {
      return ("namespace lab {\nnamespace {\n\n" + text + "\n\n}  // namespace\n}").toStdString();
    };
    QCOMPARE(!clashes({{"core/training/a.cpp", source(one)}, {"core/training/b.cpp", source(other)}}).empty(), wrong);
    // So it is in folders that are compiled together. In others, in one file, and outside of unnamed namespaces,
    // nothing clashes.
    QCOMPARE(!clashes({{"core/cluster/a.cpp", source(one)}, {"core/strategy/b.cpp", source(other)}}).empty(), wrong);
    QVERIFY(clashes({{"core/training/a.cpp", source(one)}, {"core/experiments/b.cpp", source(other)}}).empty());
    QVERIFY(clashes({{"core/training/a.cpp", source(one + "\n" + other)}}).empty());
    QVERIFY(clashes({{"core/training/a.cpp", source(one)}, {"core/training/b.cpp", other.toStdString()}}).empty());
  }

  void includesAreFollowed() {
    const std::vector<std::pair<std::string, std::string>> sources{
        {"core/a.h", "#pragma once\n#include \"core/device/backend.h\"\n"},
        {"core/b.h", "#include <vector>\n\n#include \"core/a.h\"\n"},
        {"core/b.cpp", "#include \"core/b.h\"\n"},
        {"ui/b.cpp", "#include \"core/b.h\"\n"},
        {"ui/c.h", "#include \"core/a.h\"\n"},
        {"ui/d.cpp", "#include \"core/c.h\"\n"}};
    QCOMPARE(windowSourcesThatSee(kBackend, sources), std::vector<std::string>{"ui/b.cpp"});
  }

  void everySourceKeepsTheRules() {
    const fs::path root = STRATEGYLAB_SOURCE_DIR;
    int files = 0;
    std::vector<std::pair<std::string, std::string>> sources;
    for (const char* top : {"core", "ui", "app", "resources"}) {
      for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".h" && extension != ".cpp" && extension != ".cu" && extension != ".cuh") continue;
        ++files;
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string content{std::istreambuf_iterator<char>(file), {}};
        const std::string path = fs::relative(entry.path(), root).generic_string();
        for (const auto& all : {violations(path, content), longFunctions(path, content)})
          for (const std::string& found : all) QTest::qFail(found.c_str(), __FILE__, __LINE__);
        sources.emplace_back(path, content);
      }
    }
    for (const std::string& found : clashes(sources)) QTest::qFail(found.c_str(), __FILE__, __LINE__);
    const auto seeing = std::ssize(windowSourcesThatSee(kBackend, sources));
    QVERIFY2(seeing <= kMostThatSeeIt, (std::to_string(seeing) + " sources of ui see the kernels' header").c_str());
    QVERIFY2(files > 20, "the sources were not found");
  }
};

QTEST_GUILESS_MAIN(TestLayering)
#include "tst_layering.moc"
