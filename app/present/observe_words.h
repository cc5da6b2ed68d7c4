// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <QList>
#include <QString>

#include <string>

namespace binade::app {

/// A level of observing with its name in menus, forms and messages: the run file's word, capitalised.
struct ObserveLevel {
  const char* id;    ///< as in wire::ObserveConfig::level: `what-if`
  QString name;      ///< `What-if`
  QString observes;  ///< a sentence: what the level observes
};

/// All levels, the cheapest first.
QList<ObserveLevel> observeLevels();

/// `What-if`; unknown words are returned unchanged.
QString observeLevelName(const std::string& level);

/// What `observe.inputs` and `observe.parameters` observe, and their cost.
QString observeInputsTip();
QString observeParametersTip();

/// Returns the configuration with its level raised to at least `level`.
wire::ObserveConfig atLeast(const wire::ObserveConfig& observe, const std::string& level);

}  // namespace binade::app
