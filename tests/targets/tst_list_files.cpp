// SPDX-License-Identifier: Apache-2.0
// Lists of programs whose settings lie in scripts and in files of their own.

#include "engine/formats/error.h"
#include "engine/targets/read_text.h"
#include "tests/support/suite.h"
#include "tests/targets/assigned.h"
#include "tests/targets/lists.h"

#include <QFile>

#include <algorithm>
#include <map>
#include <string>

using namespace binade;
using policy::Base;
using policy::Policy;
using policy::Treatment;
using targets::Assignment;
using targets::Read;
using test::cannotSay;
using test::mentions;
using test::plainLists;
using test::readBy;
using test::refusalBy;
using test::textBy;

namespace {

void writeFile(const QString& path, const std::string& text) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly)) qFatal("%s cannot be written", qPrintable(path));
  file.write(text.data(), static_cast<qint64>(text.size()));
}

}  // namespace

class ListFiles : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void gaudisFilesReplaceItsLists() {
    const std::string text = textBy("gaudi", plainLists());
    QVERIFY(mentions(text, "cat > \"$PWD/ops_lower.txt\" <<'END_OF_OPS'\naddbmm\n"));
    QVERIFY(mentions(text, "\nEND_OF_OPS\nexport PT_HPU_AUTOCAST_LOWER_PRECISION_OPS_LIST=\"$PWD/ops_lower.txt\"\n"));
    QVERIFY(mentions(text, "\nsum\n"));
    const Read read = readBy("gaudi", text);
    QVERIFY(read.policy.ops.at("aten::softmax") == policy::OpChange(formats::kFloat32));
    QVERIFY(read.policy.ops.at("aten::add") == policy::OpChange(Treatment::kPromote));  // Gaudi's fixed list
    QVERIFY(!read.policy.ops.contains("aten::batch_norm"));
    const Assignment assignment = test::assigned(plainLists());
    QVERIFY(cannotSay(test::targetOf("gaudi").write(assignment), "of add alike", "layer1/aten::add#1"));
  }

  void aSingleListIsGaudisLowerPrecisionList() {
    const Read read = readBy("gaudi", "linear\r\ntanh\n");
    QVERIFY(read.policy.ops.at("aten::tanh") == policy::OpChange(Treatment::kLow));
    QVERIFY(!read.policy.ops.contains("aten::conv2d"));
    QVERIFY(mentions(read.findings.at(0).message, "one list"));
  }

  void aListWhoseFileNamesFloat32IsTakenForThatList() {
    const Read read = test::targetOf("gaudi").read("tanh\n", "lists/ops_fp32.txt", test::assigned(Policy{}));
    QVERIFY(read.policy.ops.at("aten::tanh") == policy::OpChange(formats::kFloat32));
    QVERIFY(mentions(read.findings.at(0).message, "taken for the float32 list"));
    // The folder's name says nothing about the list.
    QVERIFY(test::targetOf("gaudi").read("tanh\n", "fp32/ops.txt", test::assigned(Policy{})).policy ==
            readBy("gaudi", "tanh\n").policy);
  }

  void gaudisFilesAreReadBesideTheScript() {
    const targets::Target& gaudi = test::targetOf("gaudi");
    const std::string exported = textBy("gaudi", plainLists());
    const Policy wanted = readBy("gaudi", exported).policy;
    // The script as exported, and its two lists in files of their own, as its run leaves them.
    std::map<std::string, std::string> files;
    std::string exports;
    std::string file;
    for (const QString& line : QString::fromStdString(exported).split(u'\n')) {
      if (line.startsWith(QStringLiteral("cat > "))) {
        file = line.section(u'/', 1).section(u'"', 0, 0).toStdString();
      } else if (line == QStringLiteral("END_OF_OPS")) {
        file.clear();
      } else {
        (file.empty() ? exports : files[file]) += line.toStdString() + "\n";
      }
    }
    QCOMPARE(files.size(), std::size_t{2});
    const QString folder = test::temporaryFolder();
    for (const auto& [name, list] : files) writeFile(folder + u'/' + QString::fromStdString(name), list);
    const auto read = [&](const std::string& text) {
      return targets::read_text(gaudi, text, "gaudi.sh", folder.toStdString(), test::assigned(Policy{}));
    };
    QVERIFY(read(exports).policy == wanted);
    QVERIFY(read(exported).policy == wanted);  // with its here-documents, the files do not count
    const std::string low = "PT_HPU_AUTOCAST_LOWER_PRECISION_OPS_LIST";
    const std::string high = "PT_HPU_AUTOCAST_FP32_OPS_LIST";
    for (const std::string& text :
         {low + "=ops_lower.txt " + high + "=./ops_fp32.txt python3 train.py\n",
          "#!/bin/sh\nset -e\nexport " + low + "=${LISTS}/ops_lower.txt  # ours\nexport " + high +
              "='/far/ops_fp32.txt'; run\n",
          "FROM base\nENV " + low + "=/lists/ops_lower.txt\nENV " + high + "=/lists/ops_fp32.txt\n",
          "import os\nos.environ[\"" + low + "\"] = \"ops_lower.txt\"\nos.environ['" + high + "']='ops_fp32.txt'\n"}) {
      QVERIFY2(read(text).policy == wanted, text.c_str());
    }
    const Read lower = read("export " + low + "=ops_lower.txt\n");
    QVERIFY(mentions(lower.findings.at(0).message, high + " is not set, so that list is Gaudi's own"));
    QVERIFY(lower.policy == readBy("gaudi", files.at("ops_lower.txt")).policy);
    QCOMPARE(targets::files_read(gaudi, exports, folder.toStdString()).size(), std::size_t{2});
    QVERIFY(targets::files_read(gaudi, exported, folder.toStdString()).empty());

    const auto refusal = [&](const std::string& text) -> std::string {
      try {
        read(text);
        return {};
      } catch (const Error& error) {
        return error.what();
      }
    };
    const std::string missing = refusal("#\nexport " + low + "=elsewhere/ops.txt\n");
    QVERIFY2(mentions(missing, "gaudi.sh: line 2: ops.txt, the file of " + low), missing.c_str());
    QVERIFY(
        mentions(refusal("export " + low + "=$LIST\n"), "line 1: the file name in " + low + " is missing or computed"));
    QVERIFY(mentions(refusal("export " + low + "=..\n"), "missing or computed"));
    writeFile(folder + QStringLiteral("/secret.txt"), "linear\nrm -rf /\n");
    QVERIFY(mentions(refusal(low + "=secret.txt\n"), "secret.txt: line 2: the line is not an op name"));
  }

  void paddleTakesTheLevelThatFits() {
    const std::string text = textBy("paddle", plainLists());
    QVERIFY(mentions(text,
                     "LEVEL = \"O1\"\nDTYPE = \"bfloat16\"\nUSE_PROMOTE = True\nCUSTOM_WHITE_LIST = set()\n"
                     "CUSTOM_BLACK_LIST = {\"reduce_sum\", \"softmax\"}\n"));
    std::vector<policy::SiteKey> functional = test::madeUpModel();
    std::erase_if(functional, [](const policy::SiteKey& key) { return key.op == "aten::relu_"; });
    const Policy whole = test::startingFrom(Base::kApexO3, formats::kFloat16);
    const std::string low = test::targetOf("paddle").write(test::assigned(whole, functional)).text;
    QVERIFY(mentions(low, "LEVEL = \"O2\"\n"));
    QVERIFY(mentions(low, "USE_PROMOTE = False\nCUSTOM_WHITE_LIST = set()\nCUSTOM_BLACK_LIST = set()\n"));
    QVERIFY(mentions(textBy("paddle", test::startingFrom(Base::kAllFloat32, formats::kFloat16)),
                     "ENABLE = False\nLEVEL = \"O1\"\n"));
  }

  void aSwitchedOffAutocastOfPaddleCastsNothing() {
    const Policy off = readBy("paddle", "LEVEL = 'O0'\n").policy;
    const Policy on = readBy("paddle", "LEVEL = 'O1'\n").policy;
    QVERIFY(!(off == on));
    for (const char* text :
         {"ENABLE = False\nCUSTOM_WHITE_LIST = {'softmax'}\n", "with paddle.amp.auto_cast(enable=False):\n  pass\n",
          "auto_cast(level='O2', enable = False)\n", "auto_cast(  # off\n  False, level='O2')\n"}) {
      const Read read = readBy("paddle", text);
      QVERIFY2(read.policy == off, text);
      QVERIFY(mentions(read.findings.at(0).message, "no op is cast"));
    }
    for (const char* text : {"auto_cast()\n", "auto_cast(True)\n", "auto_cast(enable=True, )\n",
                             "def auto_cast():\n  return amp.auto_cast(enable=True)\n"}) {
      const Read read = readBy("paddle", text);
      QVERIFY2(read.policy == on && read.findings.empty(), text);
    }
    // A region that is switched off inside another is not the setting of the whole model.
    QVERIFY(mentions(refusalBy("paddle", "auto_cast(level='O1')\nauto_cast(enable=False)\n"),
                     "calls of auto_cast give enable different values"));
    for (const char* text : {"auto_cast(level='O1', enable=args.amp)\n", "auto_cast(args.amp, level='O1')\n",
                             "ENABLE = bool(args.amp)\nLEVEL = 'O1'\n"}) {
      const Read read = readBy("paddle", text);
      QVERIFY2(read.policy == on, text);
      QCOMPARE(read.findings.size(), std::size_t{1});
      QVERIFY(mentions(read.findings[0].message, "enable of auto_cast is computed"));
    }
    QVERIFY(mentions(refusalBy("paddle", "ENABLE = 'no'\n"), "ENABLE is neither True nor False"));
  }

  void paddlesListsAreReadWithItsDefaults() {
    const Read read = readBy("paddle",
                             "LEVEL = 'O1'\nCUSTOM_WHITE_LIST = ['softmax']  # a list\n"
                             "CUSTOM_BLACK_LIST = (\n    'elementwise_add',\n)\nmodel = Model(LEVEL)\n");
    QVERIFY(read.policy.ops.at("aten::softmax") == policy::OpChange(Treatment::kLow));
    QVERIFY(read.policy.ops.at("aten::layer_norm") == policy::OpChange(formats::kFloat32));
    QVERIFY(read.policy.ops.at("aten::add") == policy::OpChange(formats::kFloat32));
    QVERIFY(read.policy.ops.at("aten::conv2d") == policy::OpChange(Treatment::kLow));
    QVERIFY(!read.policy.ops.contains("aten::relu_"));
    const std::string both = "CUSTOM_WHITE_LIST = {'exp'}\nCUSTOM_BLACK_LIST = {'exp'}\n";
    QVERIFY(mentions(refusalBy("paddle", both), "the two lists share an op"));
  }
};

BINADE_SUITE(ListFiles);
#include "tst_list_files.moc"
