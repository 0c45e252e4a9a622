// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of the "Trace Event Format" (Google, 2016,
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU) for complete events, metadata, flows
// and counters, and what Perfetto expects of them: the slices of a thread nest, and both ends of a flow lie in slices.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lab::test {

// Checks whether a JSON text is a Chrome trace. Returns "" if so, otherwise what is wrong.
std::string flaw(const nlohmann::json& trace);

}  // namespace lab::test
