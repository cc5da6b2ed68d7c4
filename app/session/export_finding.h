// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/finding.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace binade::app {

/// Something that an exported file lacks or does differently.
struct ExportFinding {
  QString kind;  ///< the engine's name: `note`, `warning`, `inexpressible`, ...
  QString message;
  QStringList sites;  ///< affected op calls; empty: the whole file
};

ExportFinding exportFinding(const targets::Finding& finding);

/// `Cannot be expressed: …` and similar, one paragraph per finding, warnings and then notes last. A finding names at
/// most 20 op calls, a note 4.
QString findingsText(QList<ExportFinding> findings);

}  // namespace binade::app
