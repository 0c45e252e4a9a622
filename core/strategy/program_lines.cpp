// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/strategy/program_lines.h"

#include <algorithm>
#include <utility>

#include "core/config/resolved_settings.h"

namespace lab {
namespace {

using Beat = ProgramBeat;

constexpr std::int64_t kMostShown = 8;  // tasks of each kind

std::string addressOf(const ProgramTask& task, std::int64_t index) {
  return task.kind + std::to_string(index) + ":2222";
}

std::string taskOf(const ProgramTask& task, std::int64_t index) {
  return "{\"type\": \"" + task.kind + "\", \"index\": " + std::to_string(index) + "}";
}

// "worker": ["worker0:2222", "worker1:2222"]
std::string addressesOf(const ProgramTask& task) {
  std::string text = "\"" + task.kind + "\": [";
  for (std::int64_t i = 0; i < std::min(task.count, kMostShown); ++i)
    text += (i == 0 ? "\"" : ", \"") + addressOf(task, i) + "\"";
  return text + (task.count > kMostShown ? ", ...]" : "]");
}

// Adds the text of TF_CONFIG for each machine.
void addTfConfig(ProgramLines& lines, const std::vector<ProgramTask>& tasks) {
  const std::string first = tasks.front().kind + "0";
  add(lines, {Beat::Startup},
      "# Every task runs this program and finds its place in TF_CONFIG, which is set before it starts. On " + first +
          ":");
  for (std::size_t i = 0; i < tasks.size(); ++i)
    add(lines, {Beat::Startup},
        (i == 0 ? "#   TF_CONFIG='{\"cluster\": {" : "#                           ") + addressesOf(tasks[i]) +
            (i + 1 < tasks.size() ? "," : "},"));
  add(lines, {Beat::Startup}, "#               \"task\": " + taskOf(tasks.front(), 0) + "}'");
  bool others = false;
  for (const ProgramTask& task : tasks)
    for (std::int64_t i = &task == &tasks.front() ? 1 : 0; i <= std::min(task.count, kMostShown) && i < task.count;
         ++i) {
      if (!std::exchange(others, true))
        add(lines, {Beat::Startup}, "# and the same with another task on each of the others:");
      add(lines, {Beat::Startup},
          i < kMostShown ? "#   " + taskOf(task, i) + " on " + task.kind + std::to_string(i) : "#   ...");
    }
}

}  // namespace

void add(ProgramLines& lines, std::initializer_list<ProgramBeat> beats, std::string_view text, bool aside) {
  if (text.starts_with('\n')) text.remove_prefix(1);
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back({std::string(text.substr(at, end - at)), beats, aside, {}});
    at = end + 1;
  }
}

void addAside(ProgramLines& lines, std::initializer_list<ProgramBeat> beats, std::string_view text) {
  add(lines, beats, text, true);
}

StrategyProgram mirroredProgram(const ProgramRequest&);
StrategyProgram multiWorkerMirroredProgram(const ProgramRequest&);

StrategyProgram nearestProgram(const ProgramRequest& request, std::string& name) {
  const bool several = request.config.hosts > 1;
  name = several ? "MultiWorkerMirroredStrategy" : "MirroredStrategy";
  return several ? multiWorkerMirroredProgram(request) : mirroredProgram(request);
}

void addDevices(ProgramLines& lines, const ResolvedSettings& config, int first) {
  const bool processor = config.devices == DeviceChoice::Cpu;
  const std::string count = first == 0 ? "REPLICAS" : "(REPLICAS + " + std::to_string(first) + ")";
  const std::string number = first == 0 ? "i" : "i + " + std::to_string(first);
  const std::string in = processor ? "" : "    ";
  if (!processor) {
    add(lines, {Beat::Startup}, R"(devices = [f"GPU:{i}" for i in range(REPLICAS)])");
    addAside(lines, {Beat::Startup}, R"(
if len(tf.config.list_physical_devices("GPU")) < REPLICAS:  # parts of this processor stand in for them)");
  }
  addAside(lines, {Beat::Startup},
           in + "tf.config.set_logical_device_configuration(\n" + in +
               "    tf.config.list_physical_devices(\"CPU\")[0], [tf.config.LogicalDeviceConfiguration()] * " + count +
               ")\n" + in + "devices = [f\"CPU:{" + number + "}\" for i in range(REPLICAS)]");
}

void addCluster(StrategyProgram& program, const std::vector<ProgramTask>& shown, const std::vector<ProgramTask>& here) {
  ProgramLines& lines = program.environment;
  program.imports = {"atexit", "json", "os", "signal", "socket"};
  program.severalTasks = true;
  addTfConfig(lines, shown);
  std::string counts;
  for (const ProgramTask& task : here)
    counts += (counts.empty() ? "\"" : ", \"") + task.kind + "\": " + std::to_string(task.count);
  addAside(lines, {Beat::Startup}, "TASKS, started = {" + counts + "}, []");
  addAside(lines, {Beat::Startup}, R"(
if "TF_CONFIG" not in os.environ:  # nobody set it: this machine stands in for all of them, a process each, without GPUs
    os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
    ports = []
    cluster = {kind: [] for kind in TASKS}
    for kind, count in TASKS.items():
        for _ in range(count):
            ports.append(socket.socket())
            ports[-1].bind(("localhost", 0))
            cluster[kind].append("localhost:%d" % ports[-1].getsockname()[1])
    for port in ports:
        port.close()
    tasks = [{"type": kind, "index": index} for kind in cluster for index in range(len(cluster[kind]))]
    mine = tasks[0]
    for task in tasks[1:]:
        process = os.fork()
        if process == 0:
            mine, started = task, []
            break
        started.append(process)
    os.environ["TF_CONFIG"] = json.dumps({"cluster": cluster, "task": mine})
    atexit.register(lambda: [os.kill(process, signal.SIGKILL) for process in started]))");
}

}  // namespace lab
