// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/overflow_line.h"

#include "engine/host/print/wire_members.h"
#include "engine/wire/codec.h"
#include "engine/words/fix_text.h"

#include <set>

namespace binade::host {

namespace {

using Json = nlohmann::ordered_json;

void add_diagnosis(Json& line, const wire::Diagnosis& diagnosis, const std::vector<std::string>& sites,
                   const std::string& explanation) {
  line["explanation"] = explanation;
  line["fix"] = {{"text", words::fix_of(diagnosis.fix)}};
  line["evidence"] = Json::array();
  for (const wire::Attempt& attempt : diagnosis.evidence) {
    line["evidence"].push_back({{"change", words::change_of(attempt)}});
  }
  add_wire_members(line, wire::encode(diagnosis), sites);
}

}  // namespace

Json overflow_line(const wire::Event& event, const std::vector<std::string>& sites, const std::string& sentence,
                   const std::string& explanation) {
  std::set<int> seen;
  Json names = Json::array();
  const auto add = [&](int site) {
    if (site >= 0 && seen.insert(site).second) names.push_back(sites.at(static_cast<std::size_t>(site)));
  };
  if (event.diagnosis) {
    for (const wire::Root& root : event.diagnosis->roots) add(root.site);
  }
  for (const wire::EventTensor& tensor : event.tensors) add(tensor.site);
  Json line{{"event", "overflow"}, {"step", event.step}, {"sites", names}, {"sentence", sentence}};
  if (event.rank) line["rank"] = *event.rank;
  nlohmann::json encoded = wire::encode(event);
  encoded.erase("diagnosis");  // its members are the line's
  add_wire_members(line, encoded, sites);
  if (event.diagnosis) add_diagnosis(line, *event.diagnosis, sites, explanation);
  return line;
}

}  // namespace binade::host
