// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <QList>
#include <QString>

#include <string>

namespace binade::app {

/// A level of observing under the one name that menus, forms and messages give it: the run file's word, as a title.
struct ObserveLevel {
  const char* id;  ///< as wire::ObserveConfig::level has it: `what-if`
  QString name;    ///< `What-if`
  QString looksAt;
};

/// The cheapest first.
QList<ObserveLevel> observeLevels();

/// `What-if`; the word itself where it is none of them.
QString observeLevelName(const std::string& level);

/// What `observe.inputs` and `observe.parameters` look at, and at what price.
QString observeInputsTip();
QString observeParametersTip();

/// The configuration with this level, where its own is a lower one.
wire::ObserveConfig atLeast(const wire::ObserveConfig& observe, const std::string& level);

}  // namespace binade::app
