// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/robot/link_sink.h"

#include <QDesktopServices>

namespace lab::robot {
namespace {

const QStringList kSchemes{QStringLiteral("http"), QStringLiteral("https"), QStringLiteral("mailto"),
                           QStringLiteral("file")};

}  // namespace

LinkSink::LinkSink(std::function<void(const QString&)> told) : told_(std::move(told)) {
  for (const QString& scheme : kSchemes) QDesktopServices::setUrlHandler(scheme, this, "take");
}

LinkSink::~LinkSink() {
  for (const QString& scheme : kSchemes) QDesktopServices::unsetUrlHandler(scheme);
}

}  // namespace lab::robot
