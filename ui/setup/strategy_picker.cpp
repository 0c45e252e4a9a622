// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/strategy_picker.h"

#include <QAction>
#include <QApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScreen>

#include <algorithm>

#include "core/base/at.h"
#include "core/options/config_field.h"
#include "ui/i18n/core_words.h"
#include "ui/setup/experiment.h"
#include "ui/setup/setting_field.h"
#include "ui/setup/strategy_card.h"
#include "ui/theme/fitting.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kAcross = 2;  // cards side by side for one machine, which has the most

QLabel* makeLabel(const QString& text, const char* role, Qt::Alignment alignment) {
  auto* label = new QLabel(text);
  label->setProperty("role", QLatin1String(role));
  label->setAlignment(alignment);
  return label;
}

}  // namespace

StrategyPicker::StrategyPicker(Experiment& experiment, QWidget* parent)
    : QFrame(parent, Qt::Popup), experiment_(experiment) {
  setObjectName(QStringLiteral("strategyPicker"));
  setProperty("role", QStringLiteral("popup"));
  setAccessibleName(tr("Strategies"));

  auto* settings = new QHBoxLayout;
  settings->setSpacing(theme::em(1));
  const auto add = [&](const ConfigField& field) {
    settings->addWidget(new SettingField(experiment, QString::fromStdString(field.name), settingCaption(field)));
  };
  for (const char* name : {"replicas", "hosts"}) add(configField(name));
  // Settings that only a few strategies have.
  for (const ConfigField& field : configFields())
    if (field.isTheirs && (field.kind == ConfigField::Kind::Integer || field.kind == ConfigField::Kind::Choice))
      add(field);
  for (const char* name : {"batch-per-replica", "global-batch", "reducer", "devices"}) add(configField(name));
  settings->addStretch();

  auto* content = new QWidget;
  content->setProperty("role", QStringLiteral("panel"));
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(theme::em(1.2), theme::em(1), theme::em(1.2), theme::em(1));
  column->setSpacing(theme::em(1));
  column->addLayout(makeCards());
  column->addLayout(settings);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(1, 1, 1, 1);  // the frame
  all->addWidget(area_ = new FittingArea(content));
  fitToScreen(*this);
  connect(&experiment_, &Experiment::changed, this, &StrategyPicker::refresh);
  refresh();
}

QLayout* StrategyPicker::makeCards() {
  auto* grid = new QGridLayout;
  grid->setSpacing(theme::em(0.6));
  grid->addWidget(makeLabel(tr("One machine"), "strong", Qt::AlignLeft), 0, 1);
  grid->addWidget(makeLabel(tr("Several machines"), "strong", Qt::AlignLeft), 0, 2);
  grid->addWidget(makeLabel(tr("Synchronous:\nall replicas make\na step together"), "quiet", Qt::AlignLeft), 1, 0);
  grid->addWidget(makeLabel(tr("Asynchronous:\neach worker has\nits own steps"), "quiet", Qt::AlignLeft), 2, 0);

  QGridLayout* cells[2][2];  // [synchronous, asynchronous][one machine, several]
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 2; ++column) {
      cells[row][column] = new QGridLayout;
      cells[row][column]->setSpacing(theme::em(0.4));
      grid->addLayout(cells[row][column], row + 1, column + 1, Qt::AlignTop);
    }
  }
  int number = 0;
  for (const StrategyInfo& info : strategies()) {
    const QString beyond = info.beyondTensorFlow ? QLatin1Char(' ') + tr("Beyond tf.distribute.") : QString();
    auto* card = new StrategyCard(coreText(info.name), coreText(info.sentence) + beyond, ++number);
    const QString key = QString::fromStdString(info.key);
    card->setObjectName(QStringLiteral("card-") + key);
    connect(card, &QAbstractButton::clicked, this, [this, key] { experiment_.set(QStringLiteral("strategy"), key); });
    // Opened by the right button, or the keyboard's menu key.
    auto* compare = new QAction(tr("Compare with this strategy"), card);
    compare->setObjectName(QStringLiteral("compareCard-") + key);
    card->addAction(compare);
    card->setContextMenuPolicy(Qt::ActionsContextMenu);
    card->setToolTip(tr("A click chooses this strategy; a right click compares it with the present one"));
    connect(compare, &QAction::triggered, this, [this, &info] {
      close();
      Q_EMIT compareWanted(info);
    });
    QGridLayout& cell = *cells[info.synchronous ? 0 : 1][info.severalMachines ? 1 : 0];
    const int before = cell.count(), across = info.severalMachines ? 1 : kAcross;
    cell.addWidget(card, before / across, before % across, Qt::AlignTop);
    cards_.push_back(card);
  }
  cells[1][0]->addWidget(makeLabel(tr("None: tf.distribute has no asynchronous\nstrategy for one machine."), "quiet",
                                   Qt::AlignLeft | Qt::AlignVCenter));
  return grid;
}

void StrategyPicker::openBelow(QWidget* anchor) {
  refresh();
  typed_.clear();
  sinceLetter_.invalidate();
  QPoint corner = anchor->mapToGlobal(QPoint(0, anchor->height() + theme::em(0.2)));
  const QRect screen = anchor->screen()->availableGeometry();
  corner.setX(std::max(screen.left(), std::min(corner.x(), screen.right() - width())));
  corner.setY(std::max(screen.top(), std::min(corner.y(), screen.bottom() - height())));
  move(corner);
  show();
  for (QAbstractButton* card : cards_) {
    if (!card->isChecked()) continue;
    card->setFocus(Qt::PopupFocusReason);
    area_->ensureWidgetVisible(card);
  }
}

void StrategyPicker::keyPressEvent(QKeyEvent* event) {
  const int number = event->key() - Qt::Key_1;
  if (event->key() == Qt::Key_Escape) {
    close();
  } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
    if (auto* card = qobject_cast<QAbstractButton*>(focusWidget())) card->click();
    close();
  } else if (number >= 0 && number < std::min(9, static_cast<int>(cards_.size()))) {
    at(cards_, number)->click();
  } else if (const QString text = event->text(); (event->modifiers() & ~Qt::ShiftModifier) == Qt::NoModifier &&
                                                 !text.isEmpty() && text.front().isLetter()) {
    find(text);
  } else {
    QFrame::keyPressEvent(event);
  }
}

// Letters in quick succession are the beginning of a name, without its spaces; the same letter again goes to the next
// name. Nothing is chosen yet, because choosing starts the run anew.
void StrategyPicker::find(const QString& letter) {
  const bool goesOn = sinceLetter_.isValid() && sinceLetter_.elapsed() < QApplication::keyboardInputInterval();
  sinceLetter_.start();
  typed_ = goesOn ? typed_ + letter : letter;
  const bool isOneLetter = typed_.count(letter, Qt::CaseInsensitive) == typed_.size();
  const QString begin = isOneLetter ? letter : typed_;
  const auto focused = std::find(cards_.begin(), cards_.end(), focusWidget());
  std::vector<QAbstractButton*> inTurn = cards_;
  if (focused != cards_.end())
    std::ranges::rotate(inTurn, inTurn.begin() + (focused - cards_.begin()) + (isOneLetter ? 1 : 0));
  const auto found = std::ranges::find_if(inTurn, [&](const QAbstractButton* card) {
    return card->text().remove(QLatin1Char(' ')).startsWith(begin, Qt::CaseInsensitive);
  });
  if (found != inTurn.end()) (*found)->setFocus(Qt::ShortcutFocusReason);
}

void StrategyPicker::hideEvent(QHideEvent* event) {
  QFrame::hideEvent(event);
  Q_EMIT closed();
}

void StrategyPicker::refresh() {
  std::size_t i = 0;
  for (const StrategyInfo& info : strategies()) {
    QAbstractButton* card = cards_[i++];
    card->setChecked(info.kind == experiment_.resolved().strategy);
    card->update();
  }
}

}  // namespace lab
