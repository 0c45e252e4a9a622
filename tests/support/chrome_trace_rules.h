// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of the "Trace Event Format" (Google, 2016,
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU) as far as complete events,
// metadata, flows and counters go, and what Perfetto makes of them: slices of a thread nest, a flow's ends lie in
// slices.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lab::test {

// Whether a JSON text is a Chrome trace: "" or what is wrong.
std::string flaw(const nlohmann::json& trace);

}  // namespace lab::test
