// SPDX-License-Identifier: Apache-2.0
#include "app/present/scaler_text.h"

#include "app/model/translate.h"
#include "views/values/numbers.h"

#include <QStringList>

namespace binade::app {

namespace {

QString scaleOrNone(double scale) {
  return scale == 0 ? tr("none") : views::scaleText(scale);
}

}  // namespace

QString scalerChangeText(const wire::ScalerConfig& before, const wire::ScalerConfig& after) {
  QStringList changes;
  const auto changed = [&](const QString& what, const QString& from, const QString& to) {
    if (from != to) changes << tr("%1 %2 to %3").arg(what, from, to);
  };
  changed(tr("growth interval"), views::grouped(before.growth_interval), views::grouped(after.growth_interval));
  changed(tr("growth"), views::figure(before.growth_factor), views::figure(after.growth_factor));
  changed(tr("back-off"), views::figure(before.backoff_factor), views::figure(after.backoff_factor));
  changed(tr("overflows before back-off"), views::grouped(before.hysteresis), views::grouped(after.hysteresis));
  changed(tr("floor"), scaleOrNone(before.minimum), scaleOrNone(after.minimum));
  changed(tr("ceiling"), scaleOrNone(before.maximum), scaleOrNone(after.maximum));
  if (before.fixed != after.fixed) changes << (after.fixed ? tr("fixed scale") : tr("dynamic scale"));
  return changes.join(QStringLiteral(", "));
}

QString scalerEditText(const ScalerEdit& edit) {
  QString text;
  if (edit.before) text = scalerChangeText(*edit.before, edit.after);
  if (text.isEmpty()) text = tr("scale set to %1").arg(views::scaleText(edit.scale));
  const QString id = QString::fromStdString(edit.after.id);
  return id.isEmpty() ? text : id + QStringLiteral(": ") + text;
}

QString scalerText(const wire::ScalerConfig& scaler) {
  if (scaler.fixed) return tr("Fixed scale");
  QStringList parts{tr("Grows × %1 after %2 clean steps")
                        .arg(views::figure(scaler.growth_factor), views::grouped(scaler.growth_interval))};
  const QString factor = views::figure(scaler.backoff_factor);
  parts << (scaler.hysteresis == 1
                ? tr("backs off × %1 after each overflow").arg(factor)
                : tr("backs off × %1 after %2 overflows in a row").arg(factor, views::grouped(scaler.hysteresis)));
  if (scaler.minimum > 0) parts << tr("floor %1").arg(views::scaleText(scaler.minimum));
  if (scaler.maximum > 0) parts << tr("ceiling %1").arg(views::scaleText(scaler.maximum));
  return parts.join(QStringLiteral(", "));
}

}  // namespace binade::app
