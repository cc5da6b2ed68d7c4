// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/figure_canvas.h"

#include "views/icons.h"
#include "views/look_at_number.h"
#include "views/theme.h"
#include "views/values/typography.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QHelpEvent>
#include <QMessageBox>
#include <QSaveFile>
#include <QToolTip>

#include <cmath>

namespace binade::views {

namespace {

constexpr int kCanvasSide = 16;  // margin in px
constexpr int kCanvasTop = 12;
constexpr int kCanvasLeast = 320;

}  // namespace

FigureCanvas::FigureCanvas(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  layOut();
  // Fonts and colours are those of the theme.
  connect(themeEvents(), &ThemeEvents::themeChanged, this, &FigureCanvas::layOut);
}

void FigureCanvas::setFigure(const lessons::FigureData& data, bool moved) {
  highlighted_ = moved ? changedCells(data_.table, data.table) : TableCells{};
  const int least = heightForWidth(width());
  data_ = data;
  setAccessibleName(QString::fromStdString(data_.title));
  setAccessibleDescription(figureWords(data_));
  layOut();
  // Not for every frame of a drag.
  if (heightForWidth(width()) != least) updateGeometry();
}

void FigureCanvas::layOut() {
  picture_.emplace(data_, QRectF(rect()).adjusted(kCanvasSide, kCanvasTop, -kCanvasSide, -kCanvasTop));
  update();
}

int FigureCanvas::heightForWidth(int width) const {
  return static_cast<int>(std::ceil(FigurePicture::leastHeight(data_, width - 2 * kCanvasSide))) + 2 * kCanvasTop;
}

QSize FigureCanvas::sizeHint() const {
  constexpr int kUsual = 720;
  return {kUsual, heightForWidth(kUsual)};
}

QSize FigureCanvas::minimumSizeHint() const {
  return {kCanvasLeast, 120};
}

std::optional<FigureHit> FigureCanvas::hitAt(QPointF position) const {
  return picture_->hitAt(position);
}

bool FigureCanvas::savePicture(const QString& file) const {
  QSaveFile out(file);
  return out.open(QIODevice::WriteOnly) && figureImage(data_, width()).save(&out, "PNG") && out.flush() && out.commit();
}

void FigureCanvas::askForFile() {
  const QString caption = tr("Save picture");
  QString file = QFileDialog::getSaveFileName(this, caption, QStringLiteral("figure.png"), tr("PNG image (*.png)"));
  if (file.isEmpty()) return;
  if (!file.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) file += QLatin1String(".png");
  if (savePicture(file)) return;
  QMessageBox::warning(this, caption, tr("%1 cannot be written. Choose another folder or name.").arg(file));
}

void FigureCanvas::paintEvent(QPaintEvent*) {
  const Colors& c = colors();
  QPainter painter(this);
  painter.fillRect(rect(), c.panel);
  picture_->paint(painter, highlighted_);
  if (!hasFocus()) return;
  painter.setPen(QPen(c.indigo, 0));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void FigureCanvas::resizeEvent(QResizeEvent*) {
  layOut();
}

void FigureCanvas::contextMenuEvent(QContextMenuEvent* event) {
  std::optional<PickedNumber> number;
  if (event->reason() == QContextMenuEvent::Keyboard) {
    if (!data_.facts.empty()) number = PickedNumber{data_.facts.front().value};
  } else if (const auto hit = hitAt(event->pos())) {
    number = hit->number;
  }
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  addLookEntry(*menu, this, number);
  menu->addSeparator();
  const auto copy = [menu, this](const QString& text, const char* name, auto make) {
    menu->addAction(text, this, make)->setObjectName(QLatin1String(name));
  };
  copy(tr("Copy as CSV"), "copyCsv", [this] { QGuiApplication::clipboard()->setText(figureCsv(data_)); });
  copy(tr("Copy numbers as text"), "copyNumbers",
       [this] { QGuiApplication::clipboard()->setText(figureWords(data_)); });
  copy(tr("Copy picture"), "copyPicture",
       [this] { QGuiApplication::clipboard()->setImage(figureImage(data_, width())); });
  menu->addAction(icon(QStringLiteral("export")), tr("Save picture…"), this, &FigureCanvas::askForFile)
      ->setObjectName(QStringLiteral("savePicture"));
  menu->addAction(tr("Export figure as HTML…"), this, &FigureCanvas::htmlRequested)
      ->setObjectName(QStringLiteral("exportHtml"));
  menu->popup(event->globalPos());
}

bool FigureCanvas::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto hit = hitAt(help->pos());
    QToolTip::showText(help->globalPos(), hit ? hit->text : QString(), this);
    return true;
  }
  if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
  return QWidget::event(event);
}

}  // namespace binade::views
