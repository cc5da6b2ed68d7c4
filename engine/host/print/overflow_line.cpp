// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/overflow_line.h"

#include "engine/host/print/wire_members.h"
#include "engine/policy/policy.h"
#include "engine/wire/codec.h"
#include "engine/words/fix_text.h"

#include <cmath>
#include <set>

namespace binade::host {

namespace {

using Json = nlohmann::ordered_json;

Json name_json(int site, const std::vector<std::string>& sites) {
  return site < 0 ? Json() : Json(sites.at(static_cast<std::size_t>(site)));
}

Json root_json(const wire::Root& root, const std::vector<std::string>& sites) {
  Json inputs = Json::array();
  for (const wire::ValueRange& range : root.inputs) {
    inputs.push_back({{"name", range.name},
                      {"format", range.format},
                      {"smallest", number(range.smallest)},
                      {"largest", number(range.largest)},
                      {"count", range.count},
                      {"zeros", range.zeros},
                      {"infinite", range.infinite},
                      {"nan", range.nan}});
  }
  Json rows;  // null: not known
  if (root.rows) {
    rows = {{"batch", root.rows->batch},
            {"of", root.rows->of},
            {"bad", root.rows->bad},
            {"rows", root.rows->rows},
            {"examples", root.rows->examples}};
  }
  return {{"fault", wire::name(root.fault)},
          {"direction", wire::name(root.direction)},
          {"site", name_json(root.site, sites)},
          {"call", root.call},
          {"what", root.what},
          {"source", root.source},
          {"format", formats::name(root.format)},
          {"inputs", inputs},
          {"rows", rows},
          {"why", root.why ? Json(*root.why) : Json()}};
}

/// Edges are exponents of two; null: no gradient limits that edge.
Json band_json(const wire::ScaleBand& band, const std::vector<std::string>& sites) {
  return {{"lowest", band.lowest ? Json(*band.lowest) : Json()},
          {"lowest_site", name_json(band.lowest_site, sites)},
          {"highest", band.highest ? Json(*band.highest) : Json()},
          {"highest_site", name_json(band.highest_site, sites)},
          {"bound", band.bound}};
}

void add_diagnosis(Json& line, const wire::Diagnosis& diagnosis, const std::vector<std::string>& sites,
                   const std::string& explanation) {
  line["direction"] = wire::name(diagnosis.direction);
  line["verdict"] = wire::name(diagnosis.verdict);
  line["explanation"] = explanation;
  Json roots = Json::array();
  for (const wire::Root& root : diagnosis.roots) roots.push_back(root_json(root, sites));
  line["roots"] = roots;
  Json chain = Json::array();
  for (const wire::ChainLink& link : diagnosis.chain) {
    chain.push_back({{"site", name_json(link.site, sites)},
                     {"call", link.call},
                     {"direction", wire::name(link.direction)},
                     {"tensor", link.tensor},
                     {"format", formats::name(link.format)},
                     {"largest", number(link.largest)},
                     {"non_finite", link.non_finite}});
  }
  line["chain"] = chain;
  line["ends"] = diagnosis.ends;
  line["fix"] = {{"text", words::fix_of(diagnosis.fix)},
                 {"scale", diagnosis.fix.scale > 0 ? number(diagnosis.fix.scale) : Json()},
                 {"scaler", diagnosis.fix.scaler ? Json(*diagnosis.fix.scaler) : Json()},
                 {"sites", rules_json(diagnosis.fix.rules)}};
  Json evidence = Json::array();
  for (const wire::Attempt& attempt : diagnosis.evidence) {
    evidence.push_back(
        {{"change", words::change_of(attempt)}, {"scale", number(attempt.scale)}, {"finite", attempt.finite}});
  }
  line["evidence"] = evidence;
  if (diagnosis.scaler) line["scaler"] = *diagnosis.scaler;
  if (diagnosis.band) line["safe_band"] = band_json(*diagnosis.band, sites);
  line["bundle"] = diagnosis.bundle;
  line["seconds"] = diagnosis.seconds;
}

}  // namespace

Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json rules_json(const std::vector<policy::SiteRule>& rules) {
  policy::Policy policy;
  policy.sites = rules;
  return Json::parse(policy::to_json(policy)).value("sites", Json::array());
}

Json overflow_line(const wire::Event& event, const std::vector<std::string>& sites, const std::string& sentence,
                   const std::string& explanation) {
  std::set<int> seen;
  Json names = Json::array();
  const auto add = [&](int site) {
    if (site >= 0 && seen.insert(site).second) names.push_back(name_json(site, sites));
  };
  if (event.diagnosis) {
    for (const wire::Root& root : event.diagnosis->roots) add(root.site);
  }
  for (const wire::EventTensor& tensor : event.tensors) add(tensor.site);
  Json line{{"event", "overflow"},          {"step", event.step}, {"kind", wire::name(event.kind)},
            {"scale", number(event.scale)}, {"sites", names},     {"sentence", sentence}};
  if (event.diagnosis) add_diagnosis(line, *event.diagnosis, sites, explanation);
  nlohmann::json encoded = wire::encode(event);
  encoded.erase("diagnosis");
  add_wire_members(line, encoded, sites);
  if (event.diagnosis) {
    nlohmann::json diagnosis = wire::encode(*event.diagnosis);
    diagnosis.erase("band");  // is `safe_band`
    add_wire_members(line, diagnosis, sites);
  }
  return line;
}

}  // namespace binade::host
