// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/foreign_tracks.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

#include "ui/i18n/words.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_view.h"

namespace lab {
namespace {

QString nameOf(ForeignTrace::By by) {
  switch (by) {
    case ForeignTrace::By::TensorFlow:
      return ForeignTracks::tr("TensorFlow's profiler");
    case ForeignTrace::By::PyTorch:
      return ForeignTracks::tr("PyTorch's profiler");
    case ForeignTrace::By::Unknown:
      break;
  }
  return ForeignTracks::tr("another program");
}

}  // namespace

ForeignTracks::ForeignTracks(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("foreignTracks"));
  file_ = makeLabel({.name = "foreignFile", .role = "strong", .plain = true});
  about_ = makeLabel({.name = "foreignAbout", .role = "quiet"});
  auto* end = new QToolButton;
  end->setObjectName(QStringLiteral("closeForeign"));
  end->setText(tr("Close"));
  end->setToolTip(tr("Shows only the run's own trace again"));
  end->setAccessibleName(tr("Close the other trace"));
  end->setProperty("framed", true);
  end->setFocusPolicy(Qt::TabFocus);
  connect(end, &QToolButton::clicked, this, &ForeignTracks::close);
  view_ = new TraceView;
  view_->setObjectName(QStringLiteral("foreignTrace"));
  view_->setAccessibleName(tr("Trace of another program"));
  // One line, whatever the panel's width: a second line would take room from the tracks.
  for (QLabel* each : {file_, about_}) each->setMinimumWidth(1);
  auto* head = new QHBoxLayout;
  head->setSpacing(theme::em(0.5));
  head->setContentsMargins(theme::em(0.8), theme::em(0.3), theme::em(0.8), theme::em(0.3));
  head->addWidget(file_);
  head->addWidget(about_);
  head->addWidget(end);
  head->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(head);
  column->addWidget(view_, 1);
  hide();
}

void ForeignTracks::open(const QString& path, ForeignTrace trace) {
  file_->setText(QFileInfo(path).fileName());
  const QString whose = nameOf(trace.by);
  QString about =
      tr("by %1 · %Ln slices, on a time axis of their own", nullptr, plural(std::ssize(trace.timeline.spans)))
          .arg(whose);
  if (trace.unreadable > 0) about += tr(" · %Ln slices cannot be read", nullptr, plural(trace.unreadable));
  if (trace.beyond > 0) about += tr(" · %Ln slices have no room", nullptr, plural(trace.beyond));
  about_->setText(about);
  about_->setToolTip(about);
  view_->setTimeline(nullptr);  // its times have nothing in common with ours
  view_->setTimeline(std::make_shared<const Timeline>(std::move(trace.timeline)), tr("by %1", "a program").arg(whose));
  view_->fit();
  show();
  Q_EMIT shownChanged();
}

void ForeignTracks::close() {
  hide();
  view_->setTimeline(nullptr);
  Q_EMIT shownChanged();
}

}  // namespace lab
