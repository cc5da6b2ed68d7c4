// SPDX-License-Identifier: Apache-2.0
#include "app/present/observe_words.h"

#include "app/model/translate.h"

namespace binade::app {

namespace {

int rankOf(const std::string& level) {
  const QList<ObserveLevel> levels = observeLevels();
  for (int i = 0; i < levels.size(); ++i) {
    if (level == levels[i].id) return i;
  }
  return -1;
}

}  // namespace

QList<ObserveLevel> observeLevels() {
  return {
      {"off", tr("Off"), tr("Observes nothing. The fastest level.")},
      {"finite", tr("Finite"), tr("Largest magnitudes, overflows, and values that are not finite.")},
      {"range", tr("Range"), tr("Also smallest magnitudes, zeros, norms, and the binades of values.")},
      {"histogram", tr("Histogram"),
       tr("Histograms of every gradient, and the losses in the named formats. Outputs are checked as at level "
          "Finite.")},
      {"what-if", tr("What-if"),
       tr("Histograms of all values, including outputs, exact for any format and scale. The most expensive level.")}};
}

QString observeLevelName(const std::string& level) {
  const int rank = rankOf(level);
  return rank < 0 ? QString::fromStdString(level) : observeLevels()[rank].name;
}

QString observeInputsTip() {
  return tr(
      "Observes every argument before its cast into an op call, and counts the values that the cast makes 0 or "
      "inf.\nThis needs one more pass over each argument on observed steps. The status bar shows the cost in % of "
      "training time.");
}

QString observeParametersTip() {
  return tr(
      "Observes every parameter as stored, and its unscaled gradient before clipping.\nThis needs one pass over each "
      "on observed steps. The status bar shows the cost in % of training time.");
}

wire::ObserveConfig atLeast(const wire::ObserveConfig& observe, const std::string& level) {
  wire::ObserveConfig wanted = observe;
  if (rankOf(wanted.level) < rankOf(level)) wanted.level = level;
  return wanted;
}

}  // namespace binade::app
