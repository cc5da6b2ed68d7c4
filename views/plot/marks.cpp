// SPDX-License-Identifier: Apache-2.0
#include "views/plot/marks.h"

#include <QCoreApplication>
#include <QPainterPath>

#include <algorithm>
#include <iterator>

namespace binade::views {

void appendMark(std::vector<Mark>& marks, const Mark& mark) {
  // The latest mark of this kind is among the last few, since a step has at most one of each.
  constexpr std::ptrdiff_t kNear = 8;
  const auto from = marks.rbegin();
  const auto until = from + std::min<std::ptrdiff_t>(kNear, std::distance(marks.rbegin(), marks.rend()));
  const auto same = std::find_if(from, until, [&](const Mark& each) { return each.kind == mark.kind; });
  if (same != until && mark.kind != MarkKind::kPolicyEdit && same->last() + 1 == mark.step && same->text == mark.text) {
    same->more += mark.count();
  } else {
    marks.push_back(mark);
  }
}

std::int64_t countMarks(const std::vector<Mark>& marks, MarkKind kind) {
  std::int64_t count = 0;
  for (const Mark& mark : marks) count += mark.kind == kind ? mark.count() : 0;
  return count;
}

QString markName(MarkKind kind) {
  switch (kind) {
    case MarkKind::kSkipped:
      return QCoreApplication::translate("Marks", "step skipped");
    case MarkKind::kBackOff:
      return QCoreApplication::translate("Marks", "back-off");
    case MarkKind::kGrowth:
      return QCoreApplication::translate("Marks", "growth");
    case MarkKind::kPolicyEdit:
      return QCoreApplication::translate("Marks", "policy edit");
    case MarkKind::kOverflow:
      return QCoreApplication::translate("Marks", "overflow");
    case MarkKind::kCarriedOn:
      return QCoreApplication::translate("Marks", "NaN or inf propagated");
    case MarkKind::kNote:
      return QCoreApplication::translate("Marks", "note");
  }
  return {};
}

void drawMark(QPainter& painter, MarkKind kind, QPointF at, const Colors& c) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  switch (kind) {
    case MarkKind::kSkipped: {
      QPen pen(c.crimson, 1.6, Qt::SolidLine, Qt::RoundCap);
      painter.setPen(pen);
      painter.drawLine(at + QPointF(-3, -3), at + QPointF(3, 3));
      painter.drawLine(at + QPointF(-3, 3), at + QPointF(3, -3));
      break;
    }
    case MarkKind::kBackOff:
      painter.setBrush(c.crimson);
      painter.drawPolygon(QPolygonF({at + QPointF(-4.5, -3.5), at + QPointF(4.5, -3.5), at + QPointF(0, 4)}));
      break;
    case MarkKind::kGrowth:
      painter.setPen(QPen(c.text, 1.1));
      painter.setBrush(c.panel);
      painter.drawPolygon(QPolygonF({at + QPointF(-4.5, 3.5), at + QPointF(4.5, 3.5), at + QPointF(0, -4)}));
      break;
    case MarkKind::kPolicyEdit: {
      painter.setPen(QPen(c.indigo, 1.2));
      painter.drawLine(at, at + QPointF(0, 11));
      painter.setPen(Qt::NoPen);
      painter.setBrush(c.indigo);
      painter.drawPolygon(QPolygonF({at + QPointF(0, 0), at + QPointF(8, 3.25), at + QPointF(0, 6.5)}));
      break;
    }
    case MarkKind::kOverflow:
      painter.setBrush(c.crimson);
      painter.drawPolygon(
          QPolygonF({at + QPointF(0, -4.5), at + QPointF(4.5, 0), at + QPointF(0, 4.5), at + QPointF(-4.5, 0)}));
      break;
    case MarkKind::kCarriedOn:
      painter.setBrush(c.crimson);
      painter.drawRect(QRectF(at.x() - 3.5, at.y() - 3.5, 7, 7));
      break;
    case MarkKind::kNote:
      // A sheet with two lines of text, apart from the flag of an edit at the same step.
      painter.setPen(QPen(c.indigo, 1.2));
      painter.setBrush(c.panel);
      painter.drawRect(QRectF(at.x() - 12, at.y() + 0.5, 9, 8));
      painter.drawLine(at + QPointF(-10, 3.5), at + QPointF(-5, 3.5));
      painter.drawLine(at + QPointF(-10, 6), at + QPointF(-6, 6));
      break;
  }
  painter.restore();
}

}  // namespace binade::views
