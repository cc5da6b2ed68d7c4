// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/run_config.h"
#include "tests/support/suite.h"

#include <nlohmann/json.hpp>

#include <QFile>

using nlohmann::json;

namespace {

json readSchema() {
  QFile file(QStringLiteral(BINADE_SOURCE_DIR "/resources/schemas/run.schema.json"));
  return file.open(QIODevice::ReadOnly) ? json::parse(file.readAll().toStdString()) : json();
}

/// What the reader itself says a run with nothing but defaults is.
json defaults() {
  return json::parse(binade::wire::to_json({}));
}

void compare(const json& schema, const json& values, const std::string& place) {
  QVERIFY2(schema["additionalProperties"] == false, place.c_str());
  for (const auto& [name, value] : values.items()) {
    const std::string field = place + name;
    QVERIFY2(schema["properties"].contains(name), (field + " is not in the schema").c_str());
    const json& property = schema["properties"][name];
    QVERIFY2(property.contains("description"), (field + " has no description").c_str());
    if (name == "policy" || name == "binade_run" || name == "model") continue;
    if (value.is_object()) {
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
  void itAsksForVersionAndModel() {
    QVERIFY((readSchema()["required"] == (json{"binade_run", "model"})));
    QVERIFY(readSchema()["properties"]["binade_run"]["const"] == 1);
  }
};

BINADE_SUITE(RunSchema);
#include "tst_run_schema.moc"
