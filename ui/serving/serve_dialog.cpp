// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving/serve_dialog.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/classruns/class_program.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/protocol/frames.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/setup/fit.h"
#include "ui/theme/fitting.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/labels.h"

namespace lab {
namespace {

constexpr std::int64_t kFewestImages = 32;  // the lowest proposal, as each closure moves 2.8 MB of weights and gradient
constexpr int kUsualUpdates = 5000, kMostUpdates = 1'000'000, kMostWorkers = 64;
const char* const kCommand = "STRATEGYLAB_CLASS=1 app/run.sh";

struct Way {
  const char* strategy;
  const char* words;
};
constexpr Way kWays[] = {
    {"parameter-server", QT_TRANSLATE_NOOP("lab::ServeDialog", "as each gradient arrives")},
    {"mirrored", QT_TRANSLATE_NOOP("lab::ServeDialog", "in step, when all have pushed")},
    {"backup-workers", QT_TRANSLATE_NOOP("lab::ServeDialog", "in step, without the slowest")},
};

// Puts the name above the field, because with large letters it needs the dialog's whole width. A QFormLayout gives it
// less.
void addWrapped(QVBoxLayout& form, const QString& name, QWidget* field) {
  auto* label = new QLabel(name);
  label->setWordWrap(true);
  label->setBuddy(field);
  form.addWidget(label);
  form.addWidget(field);
}

}  // namespace

ServeDialog::ServeDialog(const RunSettings& asked, const QList<OwnAddress>& addresses, Serve serve, QWidget* parent)
    : QDialog(parent), asked_(withoutOutputs(asked)), serve_(std::move(serve)) {
  setObjectName(QStringLiteral("serveDialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Serve to the class"));
  auto* all = new QVBoxLayout(this);
  QVBoxLayout& column = *addFittingColumn(*all);
  makeMissing();
  column.addWidget(findChild<QWidget*>(QStringLiteral("serveMissing")));
  column.addWidget(makeLabel(
      {.text = tr("Students join with a QR code or a link and train this experiment together, each in a browser."),
       .wraps = true}));
  column.addLayout(makeForm(addresses));
  who_ = makeLabel({.name = "serveWho", .role = "quiet", .wraps = true});
  column.addWidget(who_);
  refusal_ = makeLabel({.name = "serveRefusal", .role = "error", .wraps = true, .plain = true});
  column.addWidget(refusal_);
  column.addStretch(1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  ok_ = buttons->addButton(tr("&Serve"), QDialogButtonBox::AcceptRole);
  ok_->setObjectName(QStringLiteral("serveNow"));
  ok_->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &ServeDialog::serve);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  all->addWidget(buttons);
  connect(address_, &QComboBox::currentIndexChanged, this, &ServeDialog::refresh);
  for (const QRadioButton* way : ways_) connect(way, &QRadioButton::toggled, this, &ServeDialog::refresh);
  refresh();
  fitToScreen(*this, {38, 58});  // large enough to show what plain HTTP means
}

// Says how to get the program that serves. Without that program the dialog has nothing else to offer.
void ServeDialog::makeMissing() {
  auto* box = new QWidget(this);
  box->setObjectName(QStringLiteral("serveMissing"));
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(makeLabel(
      {.text = tr("strategylab-class, the program that serves a class, is missing. Build it in StrategyLab's folder, "
                  "which takes half a minute: %1. Or name it in the environment variable STRATEGYLAB_CLASS_PROGRAM.")
                   .arg(QLatin1String(kCommand)),
       .name = "serveMissingWords",
       .role = "error",
       .wraps = true,
       .plain = true,
       .selectable = true}));
  auto* row = new FlowLayout;
  auto* copy = new QPushButton(tr("&Copy the command"));
  copy->setObjectName(QStringLiteral("serveCopyCommand"));
  connect(copy, &QPushButton::clicked, this, [] { QGuiApplication::clipboard()->setText(QLatin1String(kCommand)); });
  auto* look = new QPushButton(tr("&Look again"));
  look->setObjectName(QStringLiteral("serveLook"));
  connect(look, &QPushButton::clicked, this, &ServeDialog::refresh);
  for (QPushButton* button : {copy, look}) {
    button->setAutoDefault(false);
    row->addWidget(button);
  }
  column->addLayout(row);
}

QLayout* ServeDialog::makeForm(const QList<OwnAddress>& addresses) {
  auto* form = new QVBoxLayout;
  address_ = new QComboBox;
  address_->setObjectName(QStringLiteral("serveAddress"));
  address_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  for (const OwnAddress& own : addresses) {
    const QString address = own.address.toString();
    address_->addItem(tr("%1, on %2", "an address, a network device").arg(address, own.device), address);
  }
  address_->addItem(tr("%1, only this machine").arg(QStringLiteral("127.0.0.1")), QStringLiteral("127.0.0.1"));
  addWrapped(*form, tr("&Address"), address_);
  addWrapped(*form, tr("Updates are made"), makeWays());
  updates_ = new QSpinBox;
  updates_->setObjectName(QStringLiteral("serveUpdates"));
  updates_->setRange(1, kMostUpdates);
  updates_->setGroupSeparatorShown(true);
  updates_->setValue(static_cast<int>(std::clamp<std::int64_t>(asked_.steps.value_or(0), kUsualUpdates, kMostUpdates)));
  addWrapped(*form, tr("&Updates"), updates_);
  batch_ = new QSpinBox;
  batch_->setObjectName(QStringLiteral("serveBatch"));
  batch_->setRange(1, static_cast<int>(serving::kMostClosureExamples));
  batch_->setValue(static_cast<int>(
      std::clamp<std::int64_t>(resolve(asked_).largestShare(), kFewestImages, serving::kMostClosureExamples)));
  batch_->setToolTip(tr("The more images, the longer a worker computes between its pull and its push"));
  addWrapped(*form, tr("&Images in each closure"), batch_);
  first_ = new QSpinBox;
  first_->setObjectName(QStringLiteral("serveFirst"));
  first_->setRange(1, kMostWorkers);
  first_->setToolTip(tr("In step, the learning rate is meant for this number of workers, however many join later"));
  addWrapped(*form, tr("&Workers for the first update"), first_);
  form->addWidget(makeWire());
  return form;
}

QWidget* ServeDialog::makeWays() {
  auto* box = new QWidget;
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  auto* group = new QButtonGroup(this);
  for (const Way& way : kWays) {
    const StrategyInfo& info = strategyInfo(withSetting(asked_, "strategy", way.strategy).strategy);
    auto* button = new QRadioButton(strategyShortName(info));
    button->setAccessibleDescription(tr(way.words));
    button->setObjectName(QStringLiteral("serve-") + QLatin1String(way.strategy));
    button->setChecked(strategyInfo(asked_.strategy).key == way.strategy);
    group->addButton(button);
    column->addWidget(button);
    column->addWidget(makeLabel({.text = tr(way.words), .role = "quiet", .wraps = true}));
    ways_ << button;
  }
  if (group->checkedButton() == nullptr) ways_.front()->setChecked(true);
  return box;
}

// The option to send bfloat16. What this halves and what it costs was measured: core/serving/README.md.
QWidget* ServeDialog::makeWire() {
  auto* box = new QWidget;
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  halves_ = new QCheckBox(tr("Send as &bfloat16"));
  halves_->setObjectName(QStringLiteral("serveWire"));
  halves_->setChecked(asked_.wire == Wire::Bfloat16);
  halvesWords_ = makeLabel({.name = "serveWireWords", .role = "quiet", .wraps = true});
  column->addWidget(halves_);
  column->addWidget(halvesWords_);
  return box;
}

const char* ServeDialog::strategy() const {
  const auto way = std::ranges::find_if(ways_, [](const QRadioButton* each) { return each->isChecked(); });
  return kWays[way - ways_.begin()].strategy;
}

// The experiment's settings, adapted to the chosen strategy.
RunSettings ServeDialog::settings() const {
  RunSettings config = withSetting(asked_, "strategy", strategy());
  config = withSetting(config, "wire", halves_->isEnabled() && halves_->isChecked() ? "bfloat16" : "");
  config = withSetting(config, "devices", "");
  config = withSetting(config, "replicas", std::to_string(first_->value()));
  config = withSetting(config, "global-batch", "");
  config = withSetting(config, "batch-per-replica", std::to_string(batch_->value()));
  config = withSetting(config, "epochs", "");
  config = withSetting(config, "steps", std::to_string(updates_->value()));
  return fitted(config, "strategy");
}

void ServeDialog::serve() {
  refresh();
  if (!ClassProgram::isThere()) return;
  ClassRun::Wishes wishes;
  wishes.listen = (address_->currentData().toString() + QStringLiteral(":0")).toStdString();
  wishes.firstWorkers = first_->value();
  try {
    serve_(settings(), wishes);
    accept();
  } catch (const UserError& error) {
    refusal_->setText(coreSentence(error));
    refusal_->show();
  }
}

void ServeDialog::refresh() {
  const bool there = ClassProgram::isThere(), alone = address_->currentIndex() == address_->count() - 1;
  findChild<QWidget*>(QStringLiteral("serveMissing"))->setVisible(!there);
  ok_->setEnabled(there);
  refusal_->hide();
  const RunSettings config = withSetting(asked_, "strategy", strategy());
  const StrategyInfo& chosen = strategyInfo(config.strategy);
  // A step waits for at least one worker besides those that it goes without.
  const auto fewest = static_cast<int>(std::min<std::int64_t>(kMostWorkers, 1 - chosen.waitsFor(config, 0)));
  const bool isFewest = first_->value() == first_->minimum();
  first_->setMinimum(fewest);
  if (isFewest) first_->setValue(fewest);
  const bool maySend = configField("wire").belongsTo(chosen);
  halves_->setEnabled(maySend);
  halvesWords_->setText(
      maySend ? tr("Weights and gradients in half the bytes: up to twice as many updates where all workers wait for "
                   "one access point. Each number keeps two or three digits. Measured after 1,000 updates of four "
                   "workers on the digits: a test loss of 0.117 to 0.121, and with float32 0.118 to 0.122.")
              : tr("In step weights and gradients are sent as they are, as float32."));
  who_->setText(alone ? tr("Only this machine can join: its browser, and strategylab-cli join.")
                : asked_.dataDir.empty()
                    ? tr("Plain HTTP: everybody in this network can read what is sent and change it. What is sent "
                         "holds no accounts and no secrets: published digits, weights and gradients.")
                    : tr("Plain HTTP: everybody in this network can read what is sent and change it: weights, "
                         "gradients and the training images in your folder. Serve only images that all of them may "
                         "see."));
}

}  // namespace lab
