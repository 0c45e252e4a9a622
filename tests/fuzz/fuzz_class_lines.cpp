// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the text: a line of the class's program, a run file or a journal is refused, or written as it was read. The
// text is also tried as a link, an address, and a request's origin.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/protocol/class_link.h"
#include "core/protocol/class_member.h"
#include "core/protocol/class_order.h"

namespace {

using namespace lab;
using namespace lab::serving;

template <typename Read>
void read(Read take) {
  try {
    take();
  } catch (const UserError&) {
  } catch (const nlohmann::json::exception&) {  // from the class's program: the run ends with a sentence
  }
}

void must(bool holds) {
  if (!holds) __builtin_trap();
}

void readLine(const nlohmann::json& line) {
  read([&] {
    const auto parts = partsFrom(line);
    must(partsFrom(nlohmann::json::parse(orderLine(parts))) == parts);
  });
  read([&] {
    const ClassOrder::FalsePush found = falsePushFrom(line);
    must(falsePushFrom(nlohmann::json::parse(falsePushLine(found.worker, found.closure))).closure == found.closure);
  });
  read([&] {
    const ClassTimes times = timesFrom(line);
    must(timesFrom(nlohmann::json::parse(timesLine(times))).parts.size() == times.parts.size());
  });
  read([&] {
    ClassMember member;
    updateMember(member, line);
    ClassMember again;
    updateMember(again, memberToJson(member));
    must(again.pushes == member.pushes);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto line = nlohmann::json::parse(text, nullptr, false); line.is_object()) readLine(line);
  read([&] {
    const ClassLink link = parseClassLink(text);
    must(parseClassLink(link.text()).text() == link.text());
  });
  read([&] {
    const ClassAddress address = parseListenAddress(text);
    must(parseListenAddress(address.text()).port == address.port);
  });
  const std::string host = text.substr(0, size / 2), origin = text.substr(size / 2);
  const ClassAddress here{"127.0.0.1", 8080};
  must(!isOwnRequest(here, false, host, origin) || host == "127.0.0.1:8080" || host == "localhost:8080");
  return 0;
}
