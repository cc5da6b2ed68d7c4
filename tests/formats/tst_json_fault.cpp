// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/json_fault.h"
#include "tests/support/suite.h"

using namespace binade;

namespace {

class JsonFaults : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void placeAndReasonWithoutWhatWasReadLast() {
    const JsonFault fault = json_fault(
        "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error while parsing value - invalid "
        "literal; last read: '\xff'");
    QCOMPARE(fault.place, std::string("line 3, column 5"));
    QCOMPARE(fault.reason, std::string("invalid literal"));
  }

  void aMessageWithoutAPlaceIsTheReason() {
    const JsonFault fault = json_fault("[json.exception.out_of_range.406] number overflow parsing '1e400'");
    QVERIFY(fault.place.empty());
    QCOMPARE(fault.reason, std::string("number overflow parsing '1e400'"));
  }
};

BINADE_SUITE(JsonFaults);

}  // namespace

#include "tst_json_fault.moc"
