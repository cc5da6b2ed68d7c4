// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/run_config.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <nlohmann/json.hpp>

#include <QFile>

using nlohmann::json;

namespace {

/// Puts what a reference points at in the reference's place.
void inlineReferences(json& part, const json& definitions) {
  if (part.is_object() && part.contains("$ref")) {
    const auto name = part["$ref"].get<std::string>();
    const auto target = definitions.find(name.substr(name.rfind('/') + 1));
    if (target != definitions.end()) part.update(*target);
    part.erase("$ref");
  }
  if (!part.is_structured()) return;
  for (json& inner : part) inlineReferences(inner, definitions);
}

json readSchema() {
  QFile file(QStringLiteral(BINADE_SOURCE_DIR "/resources/schemas/run.schema.json"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  json schema = json::parse(file.readAll().toStdString());
  inlineReferences(schema["properties"], schema["$defs"]);
  return schema;
}

/// What the reader itself says a run with nothing but defaults is.
json defaults() {
  binade::wire::RunConfig config;
  config.scaler_given = true;  // else its fields are left out
  json values = json::parse(binade::wire::to_json(config));
  values["losses"] = json::array();          // not written beside `loss`
  values["batch_norm"] = config.batch_norm;  // not written unless it is another
  return values;
}

void compare(const json& schema, const json& values, const std::string& place) {
  QVERIFY2(schema["additionalProperties"] == false, place.c_str());
  for (const auto& [name, value] : values.items()) {
    const std::string field = place + name;
    QVERIFY2(schema["properties"].contains(name), (field + " is not in the schema").c_str());
    const json& property = schema["properties"][name];
    QVERIFY2(property.contains("description"), (field + " has no description").c_str());
    if (name == "policy" || name == "binade_run" || name == "model") continue;
    if (value.is_object() && !property.contains("default")) {  // a map of free names has one: {}
      compare(property, value, field + ".");
    } else {
      QVERIFY2(property.contains("default") && property["default"] == value, (field + " has another default").c_str());
    }
  }
  for (const auto& [name, property] : schema["properties"].items()) {
    QVERIFY2(values.contains(name) || name == "$schema", (place + name + " is no field of a run").c_str());
  }
}

}  // namespace

class RunSchema : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void itHasEveryFieldWithItsDefault() { compare(readSchema(), defaults(), ""); }
  void entriesOfListsHaveTheirFieldsWithDefaults() {
    binade::wire::RunConfig config;
    config.losses.emplace_back();
    config.scalers.emplace_back();
    config.data.columns["x"] = {};
    const json values = json::parse(binade::wire::to_json(config));
    const json properties = readSchema()["properties"];
    compare(properties["losses"]["items"], values["losses"][0], "losses[].");
    compare(properties["scalers"]["items"], values["scalers"][0], "scalers[].");
    json column = properties["data"]["properties"]["columns"]["additionalProperties"];
    QVERIFY(!column["properties"]["shape"].contains("default"));  // left out it is the file's: not written
    column["properties"].erase("shape");
    compare(column, values["data"]["columns"]["x"], "data.columns.x.");
  }
  void itAsksForVersionAndModel() {
    QVERIFY((readSchema()["required"] == (json{"binade_run", "model"})));
    QVERIFY(readSchema()["properties"]["binade_run"]["const"] == 1);
  }
};

BINADE_SUITE(RunSchema);
#include "tst_run_schema.moc"
