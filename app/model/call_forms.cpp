// SPDX-License-Identifier: Apache-2.0
#include "app/model/call_forms.h"

#include "app/model/site_name.h"

#include <QHash>
#include <QSet>

namespace binade::app {

namespace {

struct Name {
  QString path;
  QString op;       // `aten::conv2d`
  QString ordinal;  // `#0`
};

Name nameOf(const policy::SiteKey& key) {
  const QString whole = callText(key);
  const qsizetype slash = whole.lastIndexOf(u'/');
  const qsizetype hash = whole.lastIndexOf(u'#');
  Name name;
  name.path = slash < 0 ? QString() : whole.left(slash);
  name.op = whole.mid(slash + 1, (hash < 0 ? whole.size() : hash) - slash - 1);
  name.ordinal = hash < 0 ? QString() : whole.mid(hash);
  return name;
}

QString withoutLibrary(const QString& op) {
  return op.section(QStringLiteral("::"), -1);
}

// `layer1.0.conv1`, `0.conv1`, `conv1`.
QStringList endsOf(const QString& path) {
  QStringList ends{path};
  for (qsizetype dot = path.indexOf(u'.'); dot >= 0; dot = path.indexOf(u'.', dot + 1)) ends << path.mid(dot + 1);
  return ends;
}

}  // namespace

CallForms::CallForms(const std::vector<wire::SiteInfo>& sites) {
  std::vector<Name> names;
  QHash<QString, int> whole;    // number of sites per name; names can collide because they omit the method
  QHash<QString, int> calls;    // number of calls per path and op
  QHash<QString, int> of_path;  // number of calls per path
  QHash<QString, QSet<QString>> paths_of_end;
  for (const wire::SiteInfo& site : sites) {
    names.push_back(nameOf(site.key));
    const Name& name = names.back();
    ++whole[callText(site.key)];
    ++calls[name.path + u'/' + name.op];
    ++of_path[name.path];
    for (const QString& end : endsOf(name.path)) paths_of_end[end].insert(name.path);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Name& name = names[i];
    QStringList& forms = forms_.emplace_back();
    forms << callText(sites[i].key);
    if (whole.value(forms.front()) > 1) continue;
    if (name.path.isEmpty()) {
      if (withoutLibrary(name.op) != name.op) forms << u'…' + withoutLibrary(name.op) + name.ordinal;
      continue;
    }
    const auto add = [&](const QString& form) {
      if (form.size() < forms.back().size()) forms << form;
    };
    const bool only_op = calls.value(name.path + u'/' + name.op) == 1;
    const bool only_call = of_path.value(name.path) == 1;
    const QString op = QStringLiteral("/…") + withoutLibrary(name.op);
    const QString ordinal = only_op ? QString() : name.ordinal;
    add(name.path + op + name.ordinal);
    add(name.path + op + ordinal);
    if (only_call) add(name.path);
    // The shortest end of the path that is unique.
    QString end = name.path;
    for (const QString& shorter : endsOf(name.path)) {
      if (paths_of_end.value(shorter).size() == 1) end = shorter;
    }
    const QString path = end == name.path ? end : u'…' + end;
    add(path + op + ordinal);
    if (only_call) add(path);
  }
}

const QStringList& CallForms::of(int site) const {
  static const QStringList none;
  const auto at = static_cast<std::size_t>(site);
  return site >= 0 && at < forms_.size() ? forms_[at] : none;
}

}  // namespace binade::app
