// SPDX-License-Identifier: Apache-2.0
#include "app/window/chart_settings.h"

#include "app/docks/dock.h"
#include "views/plot/line_plot.h"

#include <QSettings>

namespace binade::app {

void rememberCharts(const QList<Dock*>& docks, QSettings* settings) {
  using Kind = views::ValueScale::Kind;
  const QString symlog = QStringLiteral("symlog");
  for (Dock* dock : docks) {
    const QString key = QStringLiteral("charts/%1/axis").arg(dock->objectName());
    for (auto* plot : dock->findChildren<views::LinePlot*>()) {
      plot->setAxisKind(settings->value(key).toString() == symlog ? Kind::kSymlog : Kind::kLinear);
      QObject::connect(plot, &views::LinePlot::axisKindChanged, dock, [settings, key, symlog](Kind kind) {
        settings->setValue(key, kind == Kind::kSymlog ? symlog : QStringLiteral("linear"));
      });
    }
  }
}

}  // namespace binade::app
