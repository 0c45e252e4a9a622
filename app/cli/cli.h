// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by all commands. A command is one file: its add…() declares the options and stores the action, which runs once
// the whole line has been understood. Standard output carries only results, so that --json can be piped; everything
// else goes to standard error.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace CLI {
class App;
}

namespace lab::cli {

inline constexpr int kInterrupted = 130;  // 128 + SIGINT, as shells count; also for what else stops a run

using Action = std::function<int()>;  // returns the exit code

void addTrain(CLI::App& app, Action& action);
void addLaunch(CLI::App& app, Action& action);
void addCompare(CLI::App& app, Action& action);
void addCode(CLI::App& app, Action& action);
void addSplit(CLI::App& app, Action& action);
void addCollective(CLI::App& app, Action& action);
void addStrategies(CLI::App& app, Action& action);
void addDevices(CLI::App& app, Action& action);
void addCatalogue(CLI::App& app, Action& action);
void addSelftest(CLI::App& app, Action& action);
void addBench(CLI::App& app, Action& action);
void addSweep(CLI::App& app, Action& action);
void addValidate(CLI::App& app, Action& action);
void addLessons(CLI::App& app, Action& action);
void addLesson(CLI::App& app, Action& action);
void addData(CLI::App& app, Action& action);
void addServe(CLI::App& app, Action& action);
void addJoin(CLI::App& app, Action& action);
void addReplay(CLI::App& app, Action& action);

// From now on, the first Ctrl-C, SIGTERM (timeout, systemd) or SIGHUP (a closed terminal) only makes interrupted()
// true; a second one ends the program at once.
void catchInterrupts();
void catchCtrlC();  // alone: until a process has joined others, its starter's SIGTERM must end it at once
// For a process among others: signals that `launch` and mpirun send to all also stop it at a step boundary.
void catchStopSignals();
bool interrupted();

// Prints to standard output, checked: a full disk or a closed pipe is a UserError (kind Run).
void print(std::string_view text);
void printJson(const nlohmann::json& document);  // one line
// For a line of a run under way: if it cannot be printed, the run is asked to stop, as by Ctrl-C, so that its files
// become whole. Once they are, checkPrinted() throws what print() would have thrown.
void printOfRun(std::string_view text);
void checkPrinted();

void say(const std::string& message);                              // one line on standard error
std::string counted(std::int64_t count, const std::string& noun);  // "1 step", "1,200 steps"
std::string formatRounded(double value);  // "1,327,195"; "0.083", because a slow run is not one that stands
std::string scientific(double value);     // "1.2e-07"

// Stores the typed command: the program and its arguments.
void keepTyped(int argc, char** argv);
const std::vector<std::string>& typed();

}  // namespace lab::cli
