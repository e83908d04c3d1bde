# Makes the part of healthd.conf(5) that describes sections and keys from config/healthd.conf: the
# remarks above a section or a key are what it means.

function paragraph() {
    if (text != "" && sections) print text "\n"
    text = ""
}

/^#?\[/ {
    sub(/^#/, "")
    sections++
    print "# SECTION " $0 "\n"
    paragraph()
    next
}
/^#[a-z]/ {
    print "`" substr($0, 2) "`"
    if (text != "") print ": " text
    print ""
    text = ""
    next
}
/^# / { text = (text == "" ? "" : text "\n") substr($0, 3); next }
# The remarks at the head of the file are for those who edit it.
/^$/ { paragraph() }
