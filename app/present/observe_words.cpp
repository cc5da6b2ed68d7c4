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
      {"off", tr("Off"), tr("Nothing is looked at: the fastest")},
      {"finite", tr("Finite"), tr("Largest magnitudes, what overflowed, and what is not finite")},
      {"range", tr("Range"), tr("Also smallest magnitudes, zeros and norms, and the binades in which values lie")},
      {"histogram", tr("Histogram"),
       tr("Where the values of every gradient lie, and what the named formats do to them; outputs are checked as at "
          "Finite")},
      {"what-if", tr("What-if"),
       tr("Where all values lie, those of outputs too, exact for any format at any scale: the most costly")}};
}

QString observeLevelName(const std::string& level) {
  const int rank = rankOf(level);
  return rank < 0 ? QString::fromStdString(level) : observeLevels()[rank].name;
}

QString observeInputsTip() {
  return tr(
      "Every argument before it is cast on its way into an op call: what the cast makes 0 or inf of it.\n"
      "One more pass over each on the steps that are looked at; the status bar says what that costs in % of the "
      "training's time.");
}

QString observeParametersTip() {
  return tr(
      "Every parameter as it is stored, and its gradient once that is divided by the loss scale, before "
      "clipping.\nOne pass over each on the steps that are looked at; the status bar says what that costs in % "
      "of the training's time.");
}

wire::ObserveConfig atLeast(const wire::ObserveConfig& observe, const std::string& level) {
  wire::ObserveConfig wanted = observe;
  if (rankOf(wanted.level) < rankOf(level)) wanted.level = level;
  return wanted;
}

}  // namespace binade::app
