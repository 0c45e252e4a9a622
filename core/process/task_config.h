// SPDX-License-Identifier: GPL-3.0-or-later
// TF_CONFIG, as TensorFlow's TFConfigClusterResolver reads it: {"cluster": {"worker": ["host:port", …]}, "task":
// {"type": "worker", "index": 0}}. Only for clusters of MultiWorkerMirrored: workers alone (a chief is worker 0).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lab::process {

struct TaskConfig {
  std::vector<std::string> workers;  // "host:port"
  std::string type = "worker";
  std::optional<std::int64_t> index;  // nothing in a file that only describes the cluster
};

// `name`: of the file or variable, for messages. Throws a UserError if the text describes no such cluster.
TaskConfig parseTaskConfig(const std::string& text, const std::string& name);
std::string taskConfigText(const std::vector<std::string>& workers, std::int64_t index);  // for worker `index`
// Puts TF_CONFIG of worker `index` into this program's environment, if `launch` has left the cluster there.
inline constexpr const char* kClusterVariable = "STRATEGYLAB_CLUSTER";
void takeTaskConfig(int index);
bool isHostName(const std::string& host);             // whether mpirun accepts it
std::string hostOfWorker(const std::string& worker);  // from "host:port"

}  // namespace lab::process
