// SPDX-License-Identifier: Apache-2.0
#include "views/icons.h"

#include "views/theme.h"

#include <QFile>
#include <QIconEngine>
#include <QLabel>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

// Outside any namespace, as Qt's macro requires. Resources of a static library must be initialised explicitly.
static void loadIconResources() {
  Q_INIT_RESOURCE(icons);
}

namespace binade::views {

namespace {

QString fileOf(const QString& name) {
  static const bool loaded = (loadIconResources(), true);
  Q_UNUSED(loaded);
  return QStringLiteral(":/binade/icons/%1.svg").arg(name);
}

class TintedIcon : public QIconEngine {
 public:
  explicit TintedIcon(const QString& name) : name_(name) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1;
    painter->drawPixmap(rect, tinted(rect.size(), ratio, mode, state));
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    return tinted(size, 1, mode, state);
  }
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override {
    // `size` is in device pixels here.
    QPixmap pixmap = tinted(size, 1, mode, state);
    pixmap.setDevicePixelRatio(scale);
    return pixmap;
  }
  QIconEngine* clone() const override { return new TintedIcon(name_); }

 private:
  QPixmap tinted(const QSize& size, qreal ratio, QIcon::Mode mode, QIcon::State state) const {
    const Colors& c = colors();
    const QColor color = mode == QIcon::Disabled ? c.thirdText : state == QIcon::On ? c.indigo : c.text;
    const QSize pixels = size * ratio;
    const QString key =
        QStringLiteral("binade-icon/%1/%2/%3/%4").arg(name_, color.name()).arg(pixels.width()).arg(pixels.height());
    QPixmap result;
    if (!QPixmapCache::find(key, &result)) {
      QImage image(pixels, QImage::Format_ARGB32_Premultiplied);
      image.fill(Qt::transparent);
      QPainter painter(&image);
      QSvgRenderer(fileOf(name_)).render(&painter, QRectF(QPointF(), pixels));
      painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
      painter.fillRect(image.rect(), color);
      painter.end();
      if (mode == QIcon::Disabled) {
        QImage faint(pixels, QImage::Format_ARGB32_Premultiplied);
        faint.fill(Qt::transparent);
        QPainter over(&faint);
        over.setOpacity(0.6);
        over.drawImage(0, 0, image);
        over.end();
        image = faint;
      }
      result = QPixmap::fromImage(image);
      QPixmapCache::insert(key, result);
    }
    result.setDevicePixelRatio(ratio);
    return result;
  }

  QString name_;
};

}  // namespace

const QStringList& iconNames() {
  static const QStringList names =
      QStringLiteral(
          "run pause step stop undo redo rewind open search close chevron-down chevron-right columns pin float more "
          "link-axes fit export chip book bug model flag info warning file run-file tick")
          .split(QLatin1Char(' '));
  return names;
}

QIcon icon(const QString& name) {
  if (!iconNames().contains(name)) return {};
  return QIcon(new TintedIcon(name));
}

void showIcon(QLabel* label, const QString& name, int size) {
  const auto show = [label, name, size] {
    label->setPixmap(icon(name).pixmap(QSize(size, size), label->devicePixelRatioF()));
  };
  QObject::connect(themeEvents(), &ThemeEvents::themeChanged, label, show);
  show();
}

QIcon programIcon() {
  return QIcon(fileOf(QStringLiteral("binade")));
}

}  // namespace binade::views
