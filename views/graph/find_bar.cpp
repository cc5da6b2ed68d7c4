// SPDX-License-Identifier: Apache-2.0
#include "views/graph/find_bar.h"

#include "views/graph/module_graph.h"
#include "views/style/looks.h"
#include "views/values/numbers.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>

namespace binade::views {

namespace {
constexpr int kFindWidth = 280;
constexpr int kFindMargin = 8;
}  // namespace

FindBar::FindBar(ModuleGraph* graph) : QWidget(graph), graph_(graph), line_(new QLineEdit), count_(new QLabel) {
  setSurface(this, Surface::kCard);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(6, 4, 8, 4);
  line_->setPlaceholderText(tr("Find: part of a name"));
  line_->setAccessibleName(tr("Find in the graph"));
  line_->setClearButtonEnabled(true);
  line_->installEventFilter(this);
  setTone(count_, Tone::kSecond);
  row->addWidget(line_, 1);
  row->addWidget(count_);
  connect(line_, &QLineEdit::textChanged, this, [this] { showCount(-1); });
}

void FindBar::open() {
  place();
  show();
  raise();
  line_->setFocus(Qt::ShortcutFocusReason);
  line_->selectAll();
  showCount(-1);
}

void FindBar::place() {
  const int wide = std::min(kFindWidth, graph_->viewport()->width() - 2 * kFindMargin);
  setGeometry(graph_->viewport()->geometry().right() - wide - kFindMargin, kFindMargin, wide, sizeHint().height());
}

void FindBar::showCount(int index) {
  const QString text = line_->text();
  const auto found = static_cast<std::int64_t>(graph_->matches(text).size());
  setWrong(line_, !text.isEmpty() && found == 0);
  count_->setText(text.isEmpty() ? QString()
                  : index >= 0   ? tr("%1 of %2").arg(grouped(index + 1), grouped(found))
                  : found == 0   ? tr("none")
                                 : grouped(found));
}

void FindBar::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return showCount(graph_->findNext(line_->text(), event->modifiers() & Qt::ShiftModifier));
    case Qt::Key_Escape:
      hide();
      return graph_->setFocus(Qt::OtherFocusReason);
    default:
      return QWidget::keyPressEvent(event);
  }
}

// The window's own Ctrl+F and Escape do not take these keys while the user types here.
bool FindBar::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Find) || key->key() == Qt::Key_Escape) {
      event->accept();
      return true;
    }
  }
  if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Find)) {
    line_->selectAll();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace binade::views
