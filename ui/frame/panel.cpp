// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QListView>
#include <QScreen>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>
#include <utility>

#include "ui/frame/on_demand.h"
#include "ui/frame/page_stack.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kFrame = 6, kFrameTop = 30;  // pixels: room for the frame that the desktop draws
constexpr int kLeastTab = 75;              // pixels beside the arrows, as in Qt; less with small letters

QToolButton* titleButton(Icon shape, const char* name, const QString& text) {
  auto* button = new QToolButton;
  button->setObjectName(QLatin1String(name));
  button->setIcon(icon(shape));
  button->setToolTip(text);
  button->setAccessibleName(text);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace

QRect placeBeside(const QRect& window, const QRect& screen, QSize wanted) {
  const QSize least = wanted.expandedTo(screen.size() / 3).boundedTo(screen.size());
  const QRect sides[]{{QPoint(window.right() + 1, screen.top()), screen.bottomRight()},
                      {screen.topLeft(), QPoint(window.left() - 1, screen.bottom())},
                      {QPoint(screen.left(), window.bottom() + 1), screen.bottomRight()},
                      {screen.topLeft(), QPoint(screen.right(), window.top() - 1)}};
  const auto room = [&](const QRect& side) {
    const QSize size = side.isValid() ? side.size().boundedTo(least) : QSize(0, 0);
    return std::min(size.width() / static_cast<double>(least.width()), 1.0) *
           std::min(size.height() / static_cast<double>(least.height()), 1.0);
  };
  const QRect& best = *std::ranges::max_element(sides, {}, room);
  constexpr double kEnough = 0.5;  // share of the wanted size
  if (room(best) < kEnough) {
    const QSize corner = (screen.size() / 2).boundedTo(least);
    return {screen.bottomRight() - QPoint(corner.width() - 1, corner.height() - 1), corner};
  }
  const QSize size = best.size().boundedTo(least);
  // As near to the window as possible.
  QRect place(best.topLeft(), size);
  if (best.right() < window.left()) place.moveRight(best.right());
  if (best.bottom() < window.top()) place.moveBottom(best.bottom());
  if (best.left() > window.right() || best.right() < window.left())
    place.moveTop(std::clamp(window.top(), best.top(), best.bottom() - size.height() + 1));
  else
    place.moveLeft(std::clamp(window.left(), best.left(), best.right() - size.width() + 1));
  return place;
}

Panel::Panel(const char* name, const QString& title, QWidget* parent) : QDockWidget(title, parent) {
  setObjectName(QLatin1String(name));
  pages_ = new PageStack;
  pages_->setProperty("role", QStringLiteral("panel"));
  setWidget(pages_);
  bare_ = new QWidget(this);
  bare_->hide();
  makeTitle();
  setTitleBarWidget(title_);
}

void Panel::makeTitle() {
  tabs_ = new QTabBar;
  tabs_->setAccessibleName(windowTitle());
  tabs_->setFocusPolicy(Qt::TabFocus);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setElideMode(Qt::ElideNone);  // whole names: the row scrolls if it has no room for them
  tabs_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  list_ = new QComboBox;
  list_->setObjectName(QStringLiteral("panelTabs"));
  list_->setAccessibleName(windowTitle());
  list_->setToolTip(tr("What this panel shows"));
  list_->setFocusPolicy(Qt::TabFocus);
  list_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  list_->hide();
  float_ = titleButton(Icon::Float, "floatPanel", tr("A window of its own, or back to its place"));
  collapse_ = titleButton(Icon::Close, "collapsePanel", tr("Collapse %1").arg(windowTitle()));
  title_ = new QWidget(this);
  title_->setProperty("role", QStringLiteral("panel"));
  auto* row = new QHBoxLayout(title_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(tabs_);
  row->addWidget(list_, 5);
  row->addStretch(1);  // where the user can drag the panel
  row->addWidget(float_);
  row->addWidget(collapse_);
  connect(tabs_, &QTabBar::currentChanged, this, &Panel::turnTo);
  connect(list_, &QComboBox::activated, tabs_, &QTabBar::setCurrentIndex);
  connect(float_, &QToolButton::clicked, this, [this] {
    toPlace_ = !isFloating() && !std::exchange(placed_, true);
    setFloating(!isFloating());
  });
  connect(collapse_, &QToolButton::clicked, this, [this] {
    hide();
    Q_EMIT collapsed();
  });
  connect(this, &QDockWidget::featuresChanged, this, &Panel::fitTitle);
  theme::follow(this, [this] { fitTabs(); });
}

// The user has chosen a tab.
void Panel::turnTo(int tab) {
  list_->setCurrentIndex(tab);
  pages_->turnTo(tab);
  Q_EMIT turned();
}

void Panel::resizeEvent(QResizeEvent* event) {
  QDockWidget::resizeEvent(event);
  fitTabs();
}

// Shows whole names side by side, or a list, which has all of them too: nobody finds the last tab behind arrows.
void Panel::fitTabs() {
  int all = 0;
  for (int i = 0; i < tabs_->count(); ++i) all += tabs_->tabRect(i).width();
  const int arrows = 2 * style()->pixelMetric(QStyle::PM_TabBarScrollButtonWidth, nullptr, tabs_);
  const int room = width() - float_->sizeHint().width() - collapse_->sizeHint().width();
  const bool listed = all > room;
  for (QWidget* row : {static_cast<QWidget*>(tabs_), static_cast<QWidget*>(list_)})
    row->setMinimumWidth(arrows + std::min(theme::em(4), kLeastTab));  // the same for both, so that the panel keeps its
                                                                       // width
  const bool focused = tabs_->hasFocus() || list_->hasFocus();
  tabs_->setVisible(!listed);
  list_->setVisible(listed);
  if (focused) (listed ? static_cast<QWidget*>(list_) : tabs_)->setFocus();
}

void Panel::fitTitle() {
  float_->setVisible(features().testFlag(DockWidgetFloatable));
  collapse_->setVisible(features().testFlag(DockWidgetClosable));
}

OnDemand& Panel::addTab(const char* name, const QString& title, std::function<QWidget*()> make) {
  auto* page = new OnDemand(std::move(make));
  page->setObjectName(QLatin1String(name));
  auto* scroll = new QScrollArea;  // on a small screen the centre needs the room more
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);  // its content takes the focus
  scroll->setAccessibleName(title);
  scroll->setWidget(page);
  const QSignalBlocker quiet(tabs_);
  list_->addItem(title);
  tabs_->setTabToolTip(tabs_->addTab(title), title);
  pages_->addWidget(scroll);
  pages_->turnTo(0);
  return *page;
}

OnDemand* Panel::pageAt(int index) const {
  return static_cast<OnDemand*>(static_cast<QScrollArea*>(pages_->widget(index))->widget());
}

int Panel::indexOf(const QString& tab) const {
  for (int i = 0; i < pages_->count(); ++i)
    if (pageAt(i)->objectName() == tab) return i;
  return -1;
}

OnDemand* Panel::page(const QString& tab) const {
  return indexOf(tab) < 0 ? nullptr : pageAt(indexOf(tab));
}

QString Panel::chosen() const {
  return pageAt(pages_->currentIndex())->objectName();
}

void Panel::offerTabs() {
  const auto* rows = qobject_cast<QStandardItemModel*>(list_->model());
  auto* shown = qobject_cast<QListView*>(list_->view());
  for (int i = 0; i < tabs_->count(); ++i) {
    const bool offered = tabs_->isTabVisible(i) && tabs_->isTabEnabled(i);
    rows->item(i)->setEnabled(offered);
    shown->setRowHidden(i, !tabs_->isTabVisible(i));
  }
  fitTabs();
}

void Panel::choose(const QString& tab) {
  const int at = indexOf(tab);
  if (!tabs_->isTabEnabled(at) || !tabs_->isTabVisible(at)) return;
  const QSignalBlocker quiet(tabs_);
  tabs_->setCurrentIndex(at);
  list_->setCurrentIndex(at);
  pages_->turnTo(at);
}

// On X11 Qt shows floating docks without a frame, whether they float by a button, a drag or a restored session.
// Changing the kind of a visible window may lose the window, so it gets its frame before.
void Panel::setVisible(bool visible) {
  if (visible && isHidden()) frame();
  QDockWidget::setVisible(visible);
}

void Panel::frame() {
  const bool dragged = windowFlags().testFlag(Qt::X11BypassWindowManagerHint);
  if (!isFloating() || dragged || !windowFlags().testFlag(Qt::FramelessWindowHint)) return;
  const QRect before = geometry();
  // Not Qt::Window: so the main window's shortcuts keep working.
  setWindowFlags(Qt::Tool | Qt::CustomizeWindowHint | Qt::WindowTitleHint | Qt::WindowSystemMenuHint |
                 Qt::WindowMinMaxButtonsHint | Qt::WindowCloseButtonHint);
  setGeometry(before);
  if (!std::exchange(toPlace_, false)) return;
  const QWidget& beside = *parentWidget()->window();
  setGeometry(placeBeside(beside.frameGeometry(), beside.screen()->availableGeometry(), before.size())
                  .adjusted(kFrame, kFrameTop, -kFrame, -kFrame));
}

void Panel::setBare(bool bare) {
  setTitleBarWidget(bare ? bare_ : title_);
  title_->setVisible(!bare);
}

}  // namespace lab
