// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/policy.h"

#include <nlohmann/json.hpp>

namespace binade::policy {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson provenance_json(const Provenance& provenance) {
  OrderedJson json = OrderedJson::object();
  const auto text = [&json](const char* field, const std::string& value) {
    if (!value.empty()) json[field] = value;
  };
  text("made_by", provenance.made_by);
  text("date", provenance.date);
  text("run", provenance.run);
  if (provenance.step) json["step"] = *provenance.step;
  text("try", provenance.attempt);
  text("model", provenance.model);
  if (provenance.op_calls) json["op_calls"] = *provenance.op_calls;
  if (!provenance.from.empty()) json["from"] = provenance.from;
  if (!provenance.evidence.empty()) json["evidence"] = provenance.evidence;
  return json;
}

/// Adds the fields that state the formats of products.
void add_products(const Products& products, OrderedJson& json) {
  if (products.empty()) return;
  for (const Product product : {Product::kForward, Product::kGradInput, Product::kGradWeight}) {
    if (const auto& format = products.of(product)) json[name(product)] = name(*format);
  }
  if (products.rounding != Rounding::kNearest) json["rounding"] = name(products.rounding);
  if (products.transform != Transform::kNone) json["transform"] = name(products.transform);
}

OrderedJson rules_json(const std::vector<SiteRule>& rules) {
  OrderedJson sites = OrderedJson::array();
  for (const SiteRule& rule : rules) {
    OrderedJson site;
    site["match"] = rule.match;
    if (rule.call) site["call"] = *rule.call;
    site["format"] = formats::name(rule.format);
    if (rule.backward) site["backward"] = formats::name(*rule.backward);
    if (rule.execution != Execution::kAuto) site["execution"] = name(rule.execution);
    if (rule.overflow) site["overflow"] = *rule.overflow == formats::Overflow::kSaturate ? "saturate" : "infinity";
    add_products(rule.products, site);
    if (!rule.why.empty()) site["why"] = rule.why;
    sites.push_back(std::move(site));
  }
  return sites;
}

}  // namespace

std::string to_json(const std::vector<SiteRule>& rules) {
  return rules_json(rules).dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string to_json(const Products& products) {
  OrderedJson json = OrderedJson::object();
  add_products(products, json);
  return json.dump();
}

std::string to_json(const Policy& policy) {
  OrderedJson json;
  json["binade_policy"] = 1;
  json["name"] = policy.name;
  json["behaviour"] = name(policy.behaviour);
  json["base"] = name(policy.base);
  json["low"] = formats::name(policy.low);
  if (policy.execution != Execution::kAuto) json["execution"] = name(policy.execution);

  OrderedJson ops = OrderedJson::object();
  for (const auto& [op, change] : policy.ops) ops[op] = to_text(change);
  json["ops"] = std::move(ops);

  json["sites"] = rules_json(policy.sites);
  if (policy.provenance != Provenance{}) json["provenance"] = provenance_json(policy.provenance);
  // A name with invalid UTF-8 must not prevent saving.
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace binade::policy
