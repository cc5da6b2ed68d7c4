// SPDX-License-Identifier: Apache-2.0
#include "views/table/delegates.h"
#include "views/theme.h"
#include "views/values/format_name.h"
#include "views/values/numbers.h"

#include <QAbstractItemModel>
#include <QAbstractItemView>
#include <QComboBox>
#include <QIcon>
#include <QPainter>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kSquare = 10;
constexpr double kGap = 6;
constexpr double kBeforeNote = 8;
constexpr char kChosen[] = "chosen";  // property of an editor in which the user has made a choice

QIcon squareIcon(const QString& format, CellExecution execution) {
  constexpr int kScale = 3;
  QPixmap pixmap(16 * kScale, 16 * kScale);
  pixmap.setDevicePixelRatio(kScale);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  drawFormatSquare(painter, QRectF(3, 3, kSquare, kSquare), format, execution);
  return QIcon(pixmap);
}

}  // namespace

void drawFormatSquare(QPainter& painter, const QRectF& rect, const QString& format, CellExecution execution) {
  const QColor color = formatColor(format);
  painter.save();
  switch (execution) {
    case CellExecution::kNative:
      painter.fillRect(rect, color);
      break;
    case CellExecution::kFollows: {
      // The pale middle alone would be hard to see on a dark ground.
      QColor pale = color;
      pale.setAlpha(isDark(colors().theme) ? 150 : 105);
      painter.fillRect(rect, color);
      const QRectF inner = rect.adjusted(1, 1, -1, -1);
      painter.fillRect(inner, colors().panel);
      painter.fillRect(inner, pale);
      break;
    }
    case CellExecution::kEmulated: {
      const QRectF inner = rect.adjusted(2, 2, -2, -2);
      painter.fillRect(rect, color);
      painter.fillRect(inner, colors().panel);
      painter.fillRect(QRectF(rect.center().x() - 1, rect.center().y() - 1, 2, 2), color);
      break;
    }
  }
  // The two float8 formats share a colour; e5m2, with the larger range, has its lower corner cut off.
  if (format == QLatin1String("float8_e5m2")) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors().panel);
    const double cut = rect.width() * 0.6;
    const QPointF corner[] = {rect.bottomRight() + QPointF(0.5, 0.5), rect.bottomRight() + QPointF(0.5, 0.5 - cut),
                              rect.bottomRight() + QPointF(0.5 - cut, 0.5)};
    painter.drawPolygon(corner, 3);
  }
  painter.restore();
}

void FormatDelegate::setFormats(const QStringList& names, const QStringList& emulated) {
  names_ = names;
  emulated_ = emulated;
}

void FormatDelegate::paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                                  const QModelIndex& index) const {
  const QString format = index.data(FormatRole).toString();
  const QString name = format.isEmpty() ? index.data(Qt::DisplayRole).toString() : format;
  if (name.isEmpty()) return;
  const auto execution = static_cast<CellExecution>(index.data(ExecutionRole).toInt());
  const bool quiet = index.data(QuietRole).toBool();
  painter.setOpacity(quiet ? 0.5 : 1);
  const QRectF square(rect.left(), std::round(rect.center().y() - kSquare / 2), kSquare, kSquare);
  if (const QStringList mixed = index.data(FormatsRole).toStringList(); !mixed.isEmpty()) {
    // One square, divided among the most frequent formats.
    const double wide = kSquare / static_cast<double>(std::min<qsizetype>(mixed.size(), 3));
    for (qsizetype i = 0; i < std::min<qsizetype>(mixed.size(), 3); ++i) {
      const double left = square.left() + static_cast<double>(i) * wide;
      painter.fillRect(QRectF(left, square.top(), wide, kSquare), formatColor(mixed[i]));
    }
  } else {
    drawFormatSquare(painter, square, name, execution);
  }
  painter.setOpacity(1);
  const Colors& c = colors();
  painter.setFont(textFont(12));
  painter.setPen(quiet ? c.secondText : c.text);
  const QRectF words = rect.adjusted(kSquare + kGap, 0, 0, 0);
  const QString shown = textWidth(painter.font(), name) <= words.width() ? name : briefFormatName(name);
  const double wide = textWidth(painter.font(), shown);
  drawText(painter, words, Qt::AlignLeft | Qt::AlignVCenter, shown);
  const QString note = shownNote(index, rect.width());
  if (note.isEmpty() || words.width() - wide < 24) return;
  painter.setFont(textFont(11));
  const bool selected = option.state & QStyle::State_Selected;
  painter.setPen(index.data(EditedRole).toBool() ? c.indigo : selected ? c.secondText : c.thirdText);
  drawText(painter, words.adjusted(wide + kBeforeNote, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, note);
}

QString FormatDelegate::shownNote(const QModelIndex& index, double width) {
  const QString note = index.data(NoteRole).toString();
  const QString brief = index.data(BriefNoteRole).toString();
  if (brief.isEmpty()) return note;
  const QString format = index.data(FormatRole).toString();
  const QString name = format.isEmpty() ? index.data(Qt::DisplayRole).toString() : format;
  const double room = width - kSquare - kGap - textWidth(textFont(12), name) - kBeforeNote;
  return textWidth(textFont(11), note) <= room ? note : brief;
}

double FormatDelegate::contentWidth(const QModelIndex& index) const {
  const QString format = index.data(FormatRole).toString();
  const QString note = index.data(NoteRole).toString();
  return kSquare + kGap + textWidth(textFont(12), format) +
         (note.isEmpty() ? 0 : kBeforeNote + textWidth(textFont(11), note));
}

QWidget* FormatDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const {
  auto* combo = new QComboBox(parent);
  combo->setAccessibleName(tr("Format"));
  for (const QString& name : names_) {
    const bool emulated = emulated_.contains(name);
    combo->addItem(squareIcon(name, emulated ? CellExecution::kEmulated : CellExecution::kNative),
                   emulated ? tr("%1, emulated").arg(name) : name, name);
  }
  combo->insertSeparator(combo->count());
  combo->addItem(tr("Follow the base list"), QString());
  combo->view()->setMinimumWidth(200);
  // A choice completes the edit: it is committed at once, so that the next click goes to the table.
  auto* self = const_cast<FormatDelegate*>(this);
  connect(combo, &QComboBox::activated, self, [self, combo] {
    combo->setProperty(kChosen, true);
    Q_EMIT self->commitData(combo);
    Q_EMIT self->closeEditor(combo);
  });
  // Opened by key or double click, so the list is shown at once.
  QTimer::singleShot(0, combo, &QComboBox::showPopup);
  return combo;
}

void FormatDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
  auto* combo = qobject_cast<QComboBox*>(editor);
  if (!combo) return;
  const int row = combo->findData(index.data(FormatRole));
  if (row >= 0) combo->setCurrentIndex(row);
}

void FormatDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
  const auto* combo = qobject_cast<QComboBox*>(editor);
  // Leaving the editor commits too; without a choice this must not write one row's format to all selected rows.
  if (combo && combo->property(kChosen).toBool()) model->setData(index, combo->currentData(), FormatRole);
}

void FormatDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                          const QModelIndex&) const {
  editor->setGeometry(option.rect);
}

}  // namespace binade::views
