// SPDX-License-Identifier: Apache-2.0
#include "views/plot/csv.h"

namespace binade::views {

QString csvLine(const QStringList& fields) {
  QStringList quoted;
  for (QString field : fields) {
    const bool quote = field.contains(QLatin1Char(',')) || field.contains(QLatin1Char('"')) ||
                       field.contains(QLatin1Char('\n')) || field.contains(QLatin1Char('\r'));
    if (quote) {
      field.replace(QLatin1Char('"'), QLatin1String("\"\""));
      field = QLatin1Char('"') + field + QLatin1Char('"');
    }
    quoted << field;
  }
  return quoted.join(QLatin1Char(',')) + QLatin1String("\r\n");
}

}  // namespace binade::views
