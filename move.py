import re,os,sys,subprocess
# usage: move.py MAPFILE  (lines: "old new", a folder new ends with /)
root=os.getcwd()
files=subprocess.check_output(['git','ls-files'],text=True).split('\n')[:-1]
fset=set(files)
mp={}
for line in open(sys.argv[1]):
    line=line.strip()
    if not line or line[0]=='#': continue
    if line.startswith('@'):   # @folder  sets base
        base=line[1:]; continue
    dest,names=line.split(':')
    for n in names.split():
        cands=[f for f in files if os.path.dirname(f)==base and (os.path.basename(f)==n or re.fullmatch(re.escape(n)+r'(\.(test|component|queries|service|view|thread|routes))*\.(ts|tsx|css|txt)',os.path.basename(f)))]
        if not cands: sys.exit(f'none for {base}/{n}')
        for c in cands:
            if c in mp: continue
            mp[c]=(dest if dest.startswith('src/') else base+'/'+dest)+'/'+os.path.basename(c)
inv={v:k for k,v in mp.items()}
alias={'#app/':'src/app/','#features/':'src/features/','#server/':'src/server/','#web/':'src/web/','#shared/':'src/shared/','#tests/':'tests/'}
def room(p):
    m=re.match(r'src/features/[^/]+/(server|web)?',p)
    if m: return m.group(0)
    m=re.match(r'src/(server|web|app)/[^/]+',p)
    if m: return m.group(0)
    return p.split('/')[0]
def resolve(spec,frm):
    for a,t in alias.items():
        if spec.startswith(a): return t+spec[len(a):],True
    if spec.startswith('.'): return os.path.normpath(os.path.join(os.path.dirname(frm),spec)),False
    return None,None
def toalias(p):
    for a,t in alias.items():
        if p.startswith(t): return a+p[len(t):]
def rel(p,newfrm,slash=False):
    r=os.path.relpath(p,os.path.dirname(newfrm))
    if not r.startswith('.'): r='./'+r
    return r
pat=re.compile(r"""((?:from|import|import\()\s*\(?\s*)'([^']+)'""")
urlpat=re.compile(r"""(new URL\(\s*)'([^'$]+)'(,\s*import\.meta\.url)""")
for f in files:
    if not f.endswith(('.ts','.tsx','.mjs','.css')) or not os.path.isfile(f): continue
    new=mp.get(f,f)
    s=open(f).read(); o=s
    def sub(m):
        t,isalias=resolve(m.group(2),f)
        if t is None: return m.group(0)
        nt=mp.get(t,t)
        if nt==t and new==f: return m.group(0)
        if isalias:
            out=toalias(nt)
            if room(nt)==room(new) and not m.group(2).startswith('#tests'):
                out=rel(nt,new)
            # alias within same room where it was alias stays alias
            if room(t)==room(f): out=toalias(nt)
        else:
            out=rel(nt,new) if room(nt)==room(new) or toalias(nt) is None or new.startswith('bench') else toalias(nt)
        return m.group(1)+"'"+out+"'"
    s=pat.sub(sub,s)
    def usub(m):
        p=m.group(2)
        t=os.path.normpath(os.path.join(os.path.dirname(f),p))
        nt=mp.get(t,t)
        if nt==t and new==f: return m.group(0)
        out=rel(nt,new)
        if not p.startswith('.') : out=out[2:] if out.startswith('./') else out
        if p.endswith('/') : out+='/'
        return m.group(1)+"'"+out+"'"+m.group(3)
    s=urlpat.sub(usub,s)
    if s!=o: open(f,'w').write(s)
for k,v in mp.items():
    os.makedirs(os.path.dirname(v),exist_ok=True)
    subprocess.check_call(['git','mv',k,v])
# mentions of full paths
files=subprocess.check_output(['git','ls-files'],text=True).split('\n')[:-1]
keys=sorted(mp,key=len,reverse=True)
big=re.compile('|'.join(re.escape(k) for k in keys)+'')
short=[]
for f in files:
    if not f.endswith(('.ts','.tsx','.md','.json','.cjs','.mjs','.css','.html')) or f.endswith('package-lock.json'): continue
    try: s=open(f).read()
    except: continue
    n=big.sub(lambda m: mp[m.group(0)],s)
    if n!=s: open(f,'w').write(n)
# report shorter mentions
tails={}
for k in keys:
    t='/'.join(k.split('/')[-2:]); tails[t]=mp[k]
pat2=re.compile('(?<![\\w/.-])('+'|'.join(re.escape(t) for t in tails)+')')
for f in files:
    if not f.endswith(('.ts','.tsx','.md','.json','.cjs','.mjs')): continue
    for i,l in enumerate(open(f,errors='ignore')):
        for m in pat2.finditer(l): print('mention',f,i+1,l.strip()[:150])
