// SPDX-License-Identifier: GPL-3.0-or-later
// Links with a rate, a delay and a loss, in place of the kernel's tc: its token bucket passes a packet or more at once,
// and a kernel without netem has neither delay nor loss. Each host is a TAP device; this program is the switch: a frame
// takes its bytes' time on its host's link, and at the same time on the other host's, where it waits for earlier
// frames; after the delay it arrives, or with the given probability never. Needs root.
//   shaped_links RATE-MBIT DELAY-US LOSS TAP...
// The program makes the devices, prints "ready" and runs until it is ended; the devices vanish with it.
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <random>
#include <vector>

namespace {

constexpr std::size_t kMostBytes = 2048;      // an Ethernet frame
constexpr int kSmallFrame = 120;              // ARP requests and bare acknowledgements are not lost
constexpr std::int64_t kAwakeNs = 5'000'000;  // polls on after the last frame: waking up takes longer than a frame

using Address = std::array<std::uint8_t, 6>;

std::int64_t nowNs() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

struct Frame {
  std::int64_t dueNs;
  std::vector<std::uint8_t> bytes;
};

struct Port {
  int file = -1;
  std::int64_t outFreeNs = 0, inFreeNs = 0;  // when its link is free, from the host and to it
  std::deque<Frame> coming;                  // frames to the host, in the order of arrival
};

int openTap(const char* name) {
  const int file = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  ifreq request{};
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  std::strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  if (file < 0 || ioctl(file, TUNSETIFF, &request) < 0) {
    std::perror(name);
    std::exit(1);
  }
  return file;
}

class Switch {
 public:
  Switch(double mbit, double delayUs, double loss, const std::vector<const char*>& taps)
      : nsPerByte_(8e3 / mbit), delayNs_(static_cast<std::int64_t>(delayUs * 1e3)), loss_(loss), ports_(taps.size()) {
    for (std::size_t i = 0; i < taps.size(); ++i) ports_[i].file = openTap(taps[i]);
  }

  [[noreturn]] void run() {
    std::vector<pollfd> files;
    for (const Port& port : ports_) files.push_back({port.file, POLLIN, 0});
    std::int64_t workedNs = nowNs();
    for (;;) {
      bool worked = false, waits = false;
      for (std::size_t i = 0; i < ports_.size(); ++i) {
        worked = take(i) || worked;
        worked = give(ports_[i]) || worked;
        waits = waits || !ports_[i].coming.empty();
      }
      const std::int64_t now = nowNs();
      if (worked) workedNs = now;
      if (waits || now - workedNs < kAwakeNs)
        sched_yield();
      else
        poll(files.data(), files.size(), -1);
    }
  }

 private:
  bool take(std::size_t from) {
    std::array<std::uint8_t, kMostBytes> bytes{};
    const ssize_t count = read(ports_[from].file, bytes.data(), bytes.size());
    if (count < 14) return false;
    const std::int64_t now = nowNs();
    const auto tookNs = static_cast<std::int64_t>(static_cast<double>(count) * nsPerByte_);
    Port& sender = ports_[from];
    const bool small = count <= kSmallFrame;
    const std::int64_t leavesNs = small ? now + tookNs : std::max(now, sender.outFreeNs) + tookNs;
    sender.outFreeNs = std::max(now, sender.outFreeNs) + tookNs;
    Address to, mine;
    std::copy_n(bytes.begin(), 6, to.begin());
    std::copy_n(bytes.begin() + 6, 6, mine.begin());
    placeOf_[mine] = from;
    if (!small && chance_(random_) < loss_) return true;
    const auto known = placeOf_.find(to);
    for (std::size_t i = 0; i < ports_.size(); ++i) {
      if (i == from || (known != placeOf_.end() && known->second != i)) continue;
      Port& receiver = ports_[i];
      receiver.inFreeNs = std::max(leavesNs, receiver.inFreeNs + tookNs);
      const std::int64_t dueNs = (small ? leavesNs : receiver.inFreeNs) + delayNs_;
      const auto later = std::ranges::upper_bound(receiver.coming, dueNs, {}, &Frame::dueNs);
      receiver.coming.insert(later, {dueNs, {bytes.begin(), bytes.begin() + count}});
    }
    return true;
  }

  static bool give(Port& port) {
    bool gave = false;
    while (!port.coming.empty() && port.coming.front().dueNs <= nowNs()) {
      const Frame& frame = port.coming.front();
      if (write(port.file, frame.bytes.data(), frame.bytes.size()) < 0) {
      }  // a host that is down receives nothing
      port.coming.pop_front();
      gave = true;
    }
    return gave;
  }

  double nsPerByte_;
  std::int64_t delayNs_;
  double loss_;
  std::vector<Port> ports_;
  std::map<Address, std::size_t> placeOf_;
  std::mt19937 random_{1};
  std::uniform_real_distribution<double> chance_{0, 1};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "shaped_links RATE-MBIT DELAY-US LOSS TAP TAP...\n");
    return 2;
  }
  Switch links(std::atof(argv[1]), std::atof(argv[2]), std::atof(argv[3]), {argv + 4, argv + argc});
  std::printf("ready\n");
  std::fflush(stdout);
  links.run();
}
