// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/trial_report.h"

#include "engine/host/print/text_table.h"
#include "engine/wire/codec.h"
#include "engine/words/trial_rows.h"
#include "engine/words/trial_text.h"

namespace binade::host {

std::string trial_report(const wire::Trial& trial) {
  TextTable table(2);
  table.add({"", "before", "after", "noise"});
  for (const words::TrialRow& row : words::trial_rows(trial)) table.add({row.what, row.before, row.after, row.noise});
  std::string text = trial.seeds.empty() ? std::string() : table.text();
  text += words::sentence_of(trial) + "\n";
  for (const std::string& fact : words::facts_of(trial)) text += fact + "\n";
  return text;
}

nlohmann::ordered_json trial_line(const char* event, const wire::Trial& trial) {
  return {{"event", event}, {"trial", nlohmann::ordered_json::parse(wire::encode_text(trial))}};
}

}  // namespace binade::host
