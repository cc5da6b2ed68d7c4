// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/policy/policy.h"
#include "tests/support/error_corpus.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <optional>

using namespace binade;
using policy::Policy;

namespace {

QByteArray contents(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QDir corpus(const char* kind) {
  return QDir(QStringLiteral(BINADE_TEST_DATA "/policies/") + QLatin1String(kind));
}

void fileColumn(const char* kind, int atLeast) {
  QTest::addColumn<QString>("file");
  const QStringList files = corpus(kind).entryList({QStringLiteral("*.policy.json")}, QDir::Files, QDir::Name);
  QVERIFY2(files.size() >= atLeast, qPrintable(corpus(kind).path()));
  for (const QString& file : files) QTest::newRow(qPrintable(file.chopped(12))) << corpus(kind).filePath(file);
}

Policy read(const QByteArray& text, const char* source = "test") {
  return policy::parse_policy(text.toStdString(), source);
}

/// The schema's list of values at a path of keys.
QStringList values(const QJsonObject& schema, const QStringList& path) {
  QJsonValue value = schema;
  for (const QString& key : path) {
    value = value.isArray() ? value.toArray().at(key.toInt()) : value.toObject().value(key);
  }
  QStringList result;
  for (const QJsonValue& item : value.toArray()) result.append(item.toString());
  return result;
}

test::ErrorCorpus badFiles() {
  return {QStringLiteral(BINADE_TEST_DATA "/policies/bad"), QStringLiteral(".policy.json"),
          QStringLiteral(".policy.txt")};
}

/// Returns the error that reading a policy file throws; none if it is accepted.
std::optional<test::SeenError> errorOf(const QString& path) {
  try {
    read(contents(path), qPrintable(QFileInfo(path).fileName()));
  } catch (const Error& error) {
    return test::SeenError{
        error.code == ErrorCode::kBadPolicy ? QStringLiteral("bad_policy") : QStringLiteral("another"),
        QString::fromUtf8(error.what()), QString::fromStdString(error.hint)};
  }
  return std::nullopt;
}

}  // namespace

// Reading and writing policy files.
class PolicyFile : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void goodFilesRoundTrip_data() { fileColumn("good", 9); }
  void goodFilesRoundTrip();
  void badFilesAreRefusedWithPlaceAndNextStep_data() { fileColumn("bad", 40); }
  void badFilesAreRefusedWithPlaceAndNextStep();
  void oneBadFileOfEachKindShowsItsWords();
  void everyFieldIsRead();
  void theExampleOfTheGuide();
  void absentFieldsHaveDefaults();
  void everyPolicyRoundTrips();
  void aNameThatIsNoUtf8StillSaves();
  void everyTruncationIsRefused();
  void changedBytesNeverCrash();
  void deepNestingIsRefused();
  void anIntegerIsNoFormatToTrainIn();
  void theSchemaKnowsWhatTheReaderKnows();
  void namesOfBases();
};

void PolicyFile::goodFilesRoundTrip() {
  QFETCH(QString, file);
  const Policy once = read(contents(file));
  const std::string text = policy::to_json(once);
  QVERIFY(text.ends_with("}\n"));
  QVERIFY(policy::parse_policy(text, "again") == once);
  QCOMPARE(policy::to_json(policy::parse_policy(text, "again")), text);
}

void PolicyFile::badFilesAreRefusedWithPlaceAndNextStep() {
  QFETCH(QString, file);
  const std::optional<test::SeenError> error = errorOf(file);
  QCOMPARE(badFiles().difference(file, error), QString());
  QVERIFY(!error->hint.isEmpty());
}

void PolicyFile::oneBadFileOfEachKindShowsItsWords() {
  const QStringList differences = badFiles().goldenDifferences(&errorOf);
  QVERIFY2(differences.isEmpty(), qPrintable(differences.join(QLatin1Char('\n'))));
}

void PolicyFile::everyFieldIsRead() {
  const Policy policy = read(contents(corpus("good").filePath(QStringLiteral("every_field.policy.json"))));
  QCOMPARE(policy.name, std::string("every field \xe2\x89\xa4 once"));
  QVERIFY(policy.behaviour == policy::Behaviour::kPyTorch211);
  QVERIFY(policy.base == policy::Base::kApexO1);
  QVERIFY(policy.low == formats::kBFloat16);
  QVERIFY(policy.execution == policy::Execution::kNative);
  QCOMPARE(policy.ops.size(), std::size_t{6});
  QVERIFY(policy.ops.at("aten::add.Tensor") == policy::OpChange(policy::Treatment::kPromote));
  QVERIFY(policy.ops.at("aten::mul") == policy::OpChange(policy::Treatment::kFollow));
  QVERIFY(policy.ops.at("aten::softmax.int") == policy::OpChange(formats::kFloat16));  // e5m10
  QVERIFY(policy.ops.at("aten::binary_cross_entropy") == policy::OpChange(policy::Treatment::kBanned));
  QVERIFY(policy.ops.at("my_ops::fused") == policy::OpChange(policy::Treatment::kLow));
  QVERIFY(policy.ops.at("aten::linear.default") == policy::OpChange(formats::kTFloat32));
  QCOMPARE(policy.sites.size(), std::size_t{1});
  const policy::SiteRule& rule = policy.sites[0];
  QVERIFY(rule.match == "*" && rule.call == 0 && rule.why.empty());
  QVERIFY((rule.format == formats::Format{4, 3}));
  QVERIFY(rule.backward == formats::kFloat32);
  QVERIFY(rule.execution == policy::Execution::kAuto);
  QVERIFY(rule.overflow == formats::Overflow::kInfinity);
}

void PolicyFile::theExampleOfTheGuide() {
  const Policy policy = read(contents(corpus("good").filePath(QStringLiteral("resnet50_tuned.policy.json"))));
  QCOMPARE(policy.sites.size(), std::size_t{4});
  QCOMPARE(policy.sites[0].why, std::string("overflows after step 900"));
  QVERIFY(!policy.sites[0].call && policy.sites[2].call == 2);
  QVERIFY(policy.sites[3].format == formats::kFloat8E4M3fn && policy.sites[3].backward == formats::kFloat8E5M2);
  QVERIFY(policy.sites[3].execution == policy::Execution::kEmulated);
  QVERIFY(policy.sites[3].overflow == formats::Overflow::kSaturate);
}

void PolicyFile::absentFieldsHaveDefaults() {
  QVERIFY(read(R"({"binade_policy": 1})") == Policy{});
  QVERIFY(read(R"({"binade_policy": 1, "base": "cpu-amp"})").low == formats::kBFloat16);
  QVERIFY(read(R"({"binade_policy": 1, "base": "cpu-amp", "low": "float16"})").low == formats::kFloat16);
}

void PolicyFile::everyPolicyRoundTrips() {
  using policy::Base;
  for (const Base base :
       {Base::kCudaAmp, Base::kCpuAmp, Base::kApexO0, Base::kApexO1, Base::kApexO2, Base::kApexO3, Base::kAllFloat32}) {
    for (const char* low : {"float32", "tfloat32", "bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "e3m4"}) {
      for (const auto execution :
           {policy::Execution::kAuto, policy::Execution::kNative, policy::Execution::kEmulated}) {
        Policy policy;
        policy.name = "quotes \" \\ and\nlines \xf0\x9f\x8e\x9b";
        policy.base = base;
        policy.low = *formats::parse(low);
        policy.execution = execution;
        policy.ops["aten::mm"] = policy.low;
        policy.ops["aten::mm.out"] = policy::Treatment::kFollow;
        policy::SiteRule rule;
        rule.match = "a\"b.*/aten::mm#0";
        rule.format = policy.low;
        rule.execution = execution;
        policy.sites = {rule, rule};
        policy.sites[1].call = 7;
        policy.sites[1].backward = formats::kFloat8E5M2;
        policy.sites[1].overflow = formats::Overflow::kInfinity;
        policy.sites[1].why = "because";
        QVERIFY(policy::parse_policy(policy::to_json(policy), "test") == policy);
      }
    }
  }
}

void PolicyFile::aNameThatIsNoUtf8StillSaves() {
  Policy policy;
  policy.name = "caf\xe9";
  QCOMPARE(policy::parse_policy(policy::to_json(policy), "test").name, std::string("caf\xef\xbf\xbd"));
}

void PolicyFile::everyTruncationIsRefused() {
  const QByteArray text = contents(corpus("good").filePath(QStringLiteral("resnet50_tuned.policy.json"))).trimmed();
  for (qsizetype size = 0; size < text.size(); ++size) QVERIFY_THROWS_EXCEPTION(Error, read(text.first(size)));
}

void PolicyFile::changedBytesNeverCrash() {
  const QByteArray text = contents(corpus("good").filePath(QStringLiteral("every_field.policy.json")));
  int refused = 0;
  for (qsizetype i = 0; i < text.size(); ++i) {
    for (const char byte : {'\0', '"', '{', ']', '9', '\xff'}) {
      QByteArray changed = text;
      changed[i] = byte;
      try {
        const Policy policy = read(changed);
        QVERIFY(policy::parse_policy(policy::to_json(policy), "again") == policy);
      } catch (const Error& error) {
        QVERIFY(error.code == ErrorCode::kBadPolicy);
        // Messages travel as JSON: they must be UTF-8 whatever the file is.
        const QByteArray message = error.what();
        QCOMPARE(QString::fromUtf8(message).toUtf8(), message);
        ++refused;
      }
    }
  }
  QVERIFY(refused > 1000);
}

void PolicyFile::deepNestingIsRefused() {
  const QByteArray open(200'000, '[');
  const QByteArray close(200'000, ']');
  QVERIFY_THROWS_EXCEPTION(Error, read(open));
  QVERIFY_THROWS_EXCEPTION(Error, read(R"({"binade_policy": 1, "sites": )" + open + close + "}"));
}

/// INT8 is a format for inference: neither the low format, nor an op, nor a site can have it.
void PolicyFile::anIntegerIsNoFormatToTrainIn() {
  for (const char* field :
       {R"("low": "int8")", R"("ops": {"aten::linear": "int8"})", R"("sites": [{"match": "fc1", "format": "int8"}])"}) {
    std::optional<Error> refused;
    try {
      read(QByteArray(R"({"binade_policy": 1, "base": "cuda-amp", )") + field + '}');
    } catch (const Error& error) {
      refused = error;
    }
    QVERIFY2(refused, field);
    QVERIFY(refused->code == ErrorCode::kBadPolicy);
    QVERIFY2(QString::fromUtf8(refused->what()).contains(QStringLiteral("int8")), refused->what());
    QVERIFY2(refused->hint.find("float16") != std::string::npos, refused->hint.c_str());
  }
}

void PolicyFile::theSchemaKnowsWhatTheReaderKnows() {
  const QByteArray text = contents(QStringLiteral(BINADE_SOURCE_DIR "/resources/schemas/policy.schema.json"));
  const QJsonObject schema = QJsonDocument::fromJson(text).object();
  QVERIFY(!schema.isEmpty());
  const auto accepted = [](const QByteArray& fields) {
    try {
      read("{\"binade_policy\": 1" + fields + "}");
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  const auto field = [](const QString& name, const QString& value) {
    return ", \"" + name.toUtf8() + "\": \"" + value.toUtf8() + "\"";
  };
  int checked = 0;
  for (const char* name : {"behaviour", "base"}) {
    for (const QString& value : values(schema, {"properties", name, "enum"})) {
      QVERIFY2(accepted(field(name, value)), qPrintable(value));
      ++checked;
    }
  }
  for (const QString& value : values(schema, {"$defs", "execution", "enum"})) {
    QVERIFY(accepted(field("execution", value)));
    ++checked;
  }
  for (const QString& value : values(schema, {"$defs", "format", "anyOf", "0", "enum"})) {
    QVERIFY(accepted(field("low", value)));
    ++checked;
  }
  for (const QString& value : values(schema, {"properties", "ops", "additionalProperties", "anyOf", "1", "enum"})) {
    QVERIFY(accepted(", \"ops\": {\"aten::mm\": \"" + value.toUtf8() + "\"}"));
    ++checked;
  }
  for (const QString& value : values(schema, {"$defs", "site", "properties", "overflow", "enum"})) {
    QVERIFY(accepted(", \"sites\": [{\"match\": \"a\", \"format\": \"float32\", \"overflow\": \"" + value.toUtf8() +
                     "\"}]"));
    ++checked;
  }
  QCOMPARE(checked, 2 + 7 + 3 + 6 + 4 + 2);
  // And the names of the fields: the reader lists the ones it knows when it meets another.
  const auto fieldsOf = [](const QJsonObject& object) {
    QStringList names = object.value(QStringLiteral("properties")).toObject().keys();
    names.sort();
    return names;
  };
  const auto fieldsInHint = [](const QByteArray& file) {
    try {
      read(file);
    } catch (const Error& error) {
      const QString hint = QString::fromStdString(error.hint);
      QStringList names = hint.mid(hint.indexOf(QLatin1String("fields: ")) + 8).chopped(1).split(QStringLiteral(", "));
      names.sort();
      return names;
    }
    return QStringList();
  };
  QCOMPARE(fieldsInHint(R"({"binade_policy": 1, "?": 1})"), fieldsOf(schema));
  QCOMPARE(fieldsInHint(R"({"binade_policy": 1, "sites": [{"?": 1}]})"),
           fieldsOf(schema["$defs"].toObject()["site"].toObject()));
  QCOMPARE(fieldsInHint(R"({"binade_policy": 1, "provenance": {"?": 1}})"),
           fieldsOf(schema["$defs"].toObject()["provenance"].toObject()));
}

void PolicyFile::namesOfBases() {
  for (int i = 0; i <= static_cast<int>(policy::Base::kAllFloat32); ++i) {
    const auto base = static_cast<policy::Base>(i);
    QVERIFY(policy::parse_base(policy::name(base)) == base);
  }
  QVERIFY(!policy::parse_base("CUDA-AMP"));
  QVERIFY(!policy::parse_base(""));
  QCOMPARE(policy::to_text(policy::OpChange(formats::kBFloat16)), std::string("bfloat16"));
  QCOMPARE(policy::to_text(policy::OpChange(policy::Treatment::kPromote)), std::string("promote"));
}

BINADE_SUITE(PolicyFile);
#include "tst_policy_file.moc"
